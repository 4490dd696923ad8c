import { appendFileSync } from "node:fs";
import { eventually, proves } from "@postern/testing";
import { expect, test } from "vitest";
import { readingRig, work } from "../rig/reading-rig.ts";

proves("TMUX-21", "a wrapped line is one line with the spaces it was printed with", async () => {
  const { show, read } = await readingRig({ width: 20 });
  const long = "0123456789 abcdefghi  klmnop   ";
  await show(`${long}\n  indented\n\n`);

  expect((await read(work)).new_lines).toEqual([long, "  indented", ""]);
});

test("a line over the limit is cut and says how long it was", async () => {
  const { show, read } = await readingRig();
  await show(`${"x".repeat(3_000)}\nshort\n`);
  const limits = { ...work, max_bytes: 1_024 };
  const first = await read({ ...limits, force_full_read: true });
  const all = await read({ ...work, force_full_read: true });

  expect(first).toMatchObject({ new_lines: ["short"], lines_skipped: 1, truncated: true });
  expect(all.new_lines).toEqual(["x".repeat(3_000), "short"]);

  await show(`${"y".repeat(1_025)}\n${"z".repeat(1_024)}\n`);
  const cut = await read(limits);
  const whole = await read(limits);

  expect(cut).toMatchObject({ truncated: true, lines_remaining: 1 });
  expect(cut.new_lines[0]).toMatch(/^y+⟦line cut: 1025 bytes⟧$/);
  expect(Buffer.byteLength(cut.new_lines[0] ?? "")).toBeLessThanOrEqual(1_024);
  expect(whole).toMatchObject({ new_lines: ["z".repeat(1_024)], truncated: false });
});

proves(
  "TMUX-39",
  "concealed and invisible characters are marked and counted, others come unchanged",
  async () => {
    const { show, read } = await readingRig();
    await show("\u001b[8mrm -rf\nsudo\u001b[0m ok\n\u001b[31;41msame\u001b[0m\nzero\u200bwidth\n");
    await show("naïve 日本語 ❤️ 👩‍👩‍👧\n\u001b(0lqk\u001b(B\n");
    const answer = await read(work);

    expect(answer.new_lines.slice(0, 3)).toEqual([
      "⟦hidden: 6 chars⟧",
      "⟦hidden: 4 chars⟧ ok",
      "⟦hidden: 4 chars⟧",
    ]);
    expect(answer.new_lines.slice(4)).toEqual(["naïve 日本語 ❤️ 👩‍👩‍👧", "┌─┐"]);
    expect(answer.hidden_chars).toBe(14);
  },
);

proves(
  "TMUX-98",
  "characters that come byte by byte are whole, and bytes that are no text break nothing",
  async () => {
    const { show, read, tmux } = await readingRig();
    const terminal = await tmux("display-message", "-p", "-t", "work", "#{pane_tty}");
    for (const byte of [0xf0, 0x9f, 0x98, 0x80]) {
      appendFileSync(terminal, Buffer.from([byte]));
      await tmux("display-message", "-p", "");
    }
    appendFileSync(terminal, Buffer.from([0x0a, 0x61, 0xff, 0xc3, 0x28, 0x00, 0x62, 0x0a]));
    await show("");
    await eventually(
      async () => (await tmux("display-message", "-p", "-t", "work", "#{cursor_y}")) === "2",
    );
    const answer = await read(work);

    // tmux itself leaves out what it cannot decode.
    expect(answer.new_lines).toEqual(["😀", "a(b"]);
  },
);

test("terminal strings that name or nest other sequences stay in the terminal", async () => {
  const { show, read } = await readingRig();
  await show(
    "a\u009d0;evil\u009cb\n\u001b\u001b[31m [31m\n\u001bPtmux;\u001b\u001b]0;x\u0007\u001b\\c\n",
  );
  const answer = await read(work);

  expect(answer.new_lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  expect(answer.new_lines.at(-1)).toBe("c");
});
