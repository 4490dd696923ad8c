import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { readingRig, seq, work } from "../rig/reading-rig.ts";

proves(
  ["TMUX-20", "TMUX-23", "TMUX-27"],
  "reads return finished lines once, and the cursor's line apart",
  async () => {
    const { show, read } = await readingRig();
    await show("one\ntwo\n$ ");
    const first = await read(work);
    await show("ls\nthree\nREADY");
    const second = await read(work);
    const third = await read(work);

    expect(first).toMatchObject({
      target: "work:0.0",
      new_lines: ["one", "two"],
      partial_line: "$ ",
      anchor: "new",
      total_lines: 2,
      first_line: 1,
      lines_missed: 0,
      truncated: false,
    });
    expect(second).toMatchObject({
      new_lines: ["$ ls", "three"],
      partial_line: "READY",
      anchor: "exact",
      total_lines: 4,
      first_line: 3,
      lines_missed: 0,
    });
    expect(third).toMatchObject({ new_lines: [], first_line: null, partial_line: "READY" });
  },
);

proves("TMUX-25", "a program that rewrites its lines is told as rewritten lines", async () => {
  const { show, read } = await readingRig({ height: 5 });
  await show("a\nb\nc\nd\ne\nstep 1\nstep 2\n");
  await read(work);
  await show("\u001b[2A\rstep 1 done\n\nend\n");

  expect(await read(work)).toMatchObject({
    anchor: "exact",
    rewritten: [{ line: 6, text: "step 1 done" }],
    new_lines: ["end"],
    first_line: 8,
  });
});

test("a width that changes and changes back repeats nothing", async () => {
  const { show, read, tmux } = await readingRig({ width: 120 });
  const lines = Array.from({ length: 60 }, (_none, index) => `${String(index)} `.repeat(30).trim());
  await show(`${lines.join("\n")}\n`);
  await read(work);
  await tmux("resize-window", "-t", "work", "-x", "60");
  const narrow = await read(work);
  await show("more\n");
  await tmux("resize-window", "-t", "work", "-x", "120");
  const wide = await read(work);

  expect(narrow).toMatchObject({ anchor: "matched", new_lines: [], lines_missed: null });
  expect(wide).toMatchObject({ anchor: "matched", new_lines: ["more"] });
});

test.each([
  ["clear and E3", "\u001b[H\u001b[2J\u001b[3J"],
  ["clear", "\u001b[H\u001b[2J"],
  ["clear below", "\u001b[H\u001b[J"],
])("output after %s comes at once, and nothing false is claimed", async (_name, clear) => {
  const { show, read } = await readingRig();
  await show("one\ntwo\n");
  await read(work);
  await show(`${clear}after\n`);
  const answer = await read(work);

  expect(answer.new_lines.at(-1)).toBe("after");
  // Clearing moves the old lines into the history; only dropping that loses the place.
  expect(answer).toMatchObject(
    clear.includes("3J")
      ? { anchor: "lost", lines_missed: null }
      : { anchor: "exact", lines_missed: 0 },
  );
});

proves("TMUX-24", "a pane read long ago goes on where it was, from as deep as needed", async () => {
  const { show, read } = await readingRig({ historyLimit: 5_000, config: { buffer_size: 5_000 } });
  await show(seq(1, 100));
  await read(work);
  await show(seq(101, 3_000));
  const answer = await read(work);

  expect(answer).toMatchObject({ anchor: "exact", lines_missed: 0, first_line: 101 });
  expect(answer.new_lines).toEqual(seq(101, 3_000).trimEnd().split("\n"));
});

test("lines that tmux dropped are no exact continuation", async () => {
  const { show, read } = await readingRig({ historyLimit: 200 });
  await show(seq(1, 100));
  await read(work);
  await show(seq(101, 2_000));
  const answer = await read(work);

  expect(answer).toMatchObject({ anchor: "lost", lines_missed: null });
  expect(answer.new_lines.at(-1)).toBe("2000");
});

test("polling a pane that overruns its history never skips a line under an exact anchor", async () => {
  const { show, read } = await readingRig({ historyLimit: 300 });
  await show(seq(1, 50));
  const ends = [(await read(work)).new_lines.at(-1)];
  const answers = [];
  for (let from = 51; from < 2_000; from += 150) {
    await show(seq(from, from + 149));
    const answer = await read(work);
    answers.push(answer);
    ends.push(answer.new_lines.at(-1));
  }
  const steps = answers.map(({ anchor, lines_missed, new_lines }, index) => ({
    claims: anchor === "exact" || lines_missed === 0,
    skipped: Number(new_lines[0]) - Number(ends[index]) - 1,
  }));

  expect(ends.map(Number)).toEqual(ends.map((_end, index) => 50 + 150 * index));
  expect(steps.filter(({ claims, skipped }) => claims && skipped !== 0)).toEqual([]);
});

proves(
  "TMUX-28",
  "a forced read returns the newest lines again and moves the position",
  async () => {
    const { show, read } = await readingRig();
    await show(seq(1, 20));
    await read(work);
    const forced = await read({ ...work, force_full_read: true, max_lines: 5 });
    const after = await read(work);

    expect(forced).toMatchObject({
      anchor: "new",
      new_lines: ["16", "17", "18", "19", "20"],
      first_line: 16,
      lines_skipped: 15,
      total_lines: 20,
    });
    expect(after.new_lines).toEqual([]);
  },
);

proves(
  "TMUX-30",
  "a full-screen program shows its rows, and the shell's lines go on after it",
  async () => {
    const { show, read } = await readingRig({ height: 6 });
    await show(seq(1, 20));
    await read(work);
    await show("21\n\u001b[?1049h\u001b[Htop\n\n  bottom");
    const screen = await read(work);
    const unchanged = await read(work);
    await show("\u001b[1;1HTOP");
    const changed = await read(work);
    await show("\u001b[?1049l22\n");
    const shell = await read(work);

    expect(screen).toMatchObject({
      alternate_screen: true,
      anchor: "screen",
      new_lines: ["top", "", "  bottom"],
      lines_missed: null,
      total_lines: 20,
    });
    expect(unchanged.new_lines).toEqual([]);
    expect(changed.new_lines).toEqual(["TOP", "", "  bottom"]);
    expect(shell).toMatchObject({
      alternate_screen: false,
      new_lines: ["21", "22"],
      anchor: "exact",
      lines_missed: 0,
    });
  },
);

test("a line that wraps into the screen is not repeated after a full-screen program", async () => {
  const { show, read } = await readingRig({ height: 6, width: 20 });
  await show(`1\n2\n${"long ".repeat(6)}\n4\n5\n6\n7\n`);
  await read(work);
  await show("\u001b[?1049hfull\u001b[?1049l8\n");
  const after = await read(work);
  await show("9\n");

  expect(after).toMatchObject({ anchor: "exact", new_lines: ["8"], rewritten: [] });
  expect(await read(work)).toMatchObject({ anchor: "exact", new_lines: ["9"], rewritten: [] });
});

test("scrolling in copy mode changes nothing that is read", async () => {
  const { show, read, tmux } = await readingRig({ height: 6 });
  await show(seq(1, 20));
  await read(work);
  await tmux("copy-mode", "-t", "work");
  await tmux("send-keys", "-t", "work", "-X", "page-up");
  await show("21\n");

  expect(await read(work)).toMatchObject({ anchor: "exact", new_lines: ["21"] });
});
