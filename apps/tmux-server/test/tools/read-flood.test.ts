import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { privateTmux } from "../rig/private-tmux.ts";
import { readingApp, readingTools } from "../rig/reading-app.ts";
import { work } from "../rig/reading-rig.ts";

proves("TMUX-97", "a pane that floods past its history is read without a false claim", async () => {
  const command = ["sh", "-c", "seq 1 300000; sleep 1000"];
  const { socket } = await privateTmux({ command, historyLimit: 2_000 });
  const { read } = readingTools(readingApp({ socket, config: { buffer_size: 5_000 } }));
  const answers: Awaited<ReturnType<typeof read>>[] = [];
  do answers.push(await read(work));
  while (!answers.at(-1)?.new_lines.includes("300000") && answers.length < 500);
  const last = await read(work);
  const gaps = answers.slice(1).map(({ anchor, lines_missed, new_lines }, index) => {
    const before = Number(answers[index]?.new_lines.at(-1));
    return {
      anchor,
      lines_missed,
      gap: new_lines.length > 0 ? Number(new_lines[0]) - before - 1 : 0,
    };
  });

  expect(last).toMatchObject({ new_lines: [], anchor: "exact" });
  expect(
    gaps.filter(({ lines_missed, gap }) => lines_missed !== null && lines_missed !== gap),
  ).toEqual([]);
  expect(gaps.filter(({ anchor, gap }) => anchor === "exact" && gap !== 0)).toEqual([]);
});

proves(
  "TMUX-20",
  "what one look shows belongs together, also while the pane floods and is resized",
  async () => {
    const command = [
      "sh",
      "-c",
      "while :; do printf '%s line %s\\n' $((i=i+1)) 'which is wide enough to wrap'; done",
    ];
    const { socket, tmux } = await privateTmux({ command, width: 40, height: 12 });
    const { panes } = readingApp({ socket });
    const torn = [];
    for (let round = 0; round < 60; round += 1) {
      if (round % 10 === 5) await tmux("resize-window", "-t", "work", "-x", String(20 + round));
      const { rows, firstRow, lines, facts } = await panes.look(work, "tail");
      const whole = lines.filter(({ row, rowCount, text }) => {
        const own = rows.slice(row - firstRow, row - firstRow + rowCount);
        return own.join("").trimEnd() === text.trimEnd();
      });
      const counted = rows.length === facts.historySize - firstRow + facts.height;
      if (whole.length !== lines.length || !counted) torn.push(round);
    }

    expect(torn).toEqual([]);
  },
);

test("a program that toggles screens and clears while it is read never breaks a read", async () => {
  const script =
    "while :; do printf '\\033[?1049hfull\\033[?1049l\\033[H\\033[2Jx\\033[3Jy\\n\\033[5;5Hz\\r\\n'; done";
  const { socket, tmux } = await privateTmux({ command: ["sh", "-c", script] });
  const { read } = readingTools(readingApp({ socket }));
  const anchors = new Set<string>();
  for (let round = 0; round < 40; round += 1) {
    if (round % 8 === 0)
      await tmux("resize-window", "-t", "work", "-x", String(60 + round), "-y", String(10 + round));
    anchors.add((await read(work)).anchor);
  }

  expect([...anchors].every((anchor) => anchor !== "")).toBe(true);
});
