import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ReadingPosition } from "../../src/domain/position.ts";
import { type Reading, readPane } from "../../src/domain/read-pane.ts";
import { captured, type Shown } from "../rig/captured.ts";

const order = { full: false, maxLines: 1_000, maxBytes: 100_000, bufferSize: 1_000 };

proves(
  "TMUX-26",
  "appended, scrolled and cleared lines are found as in the worked examples",
  () => {
    expect(
      newAfter(["line1", "line2", "line3"], ["line1", "line2", "line3", "line4", "line5"]),
    ).toEqual(["line4", "line5"]);
    expect(newAfter(["line1", "line2", "line3"], ["line2", "line3", "line4"])).toEqual(["line4"]);
    expect(newAfter(["line1", "line2", "line3"], ["other"])).toEqual(["other"]);
    expect(newAfter(["line1", "line2", "line3"], ["line1"])).toEqual(["line1"]);
  },
);

proves("TMUX-27", "an unchanged pane gives nothing, and the first read misses nothing", () => {
  const { first, second } = twoReads(["a", "b"], ["a", "b"]);

  expect(first).toMatchObject({ anchor: "new", linesMissed: 0, totalLines: 2, firstLine: 1 });
  expect(second).toMatchObject({ anchor: "exact", newLines: [], linesMissed: 0, totalLines: 2 });
});

proves(
  "TMUX-25",
  "each rule of the difference names itself, and only the exact one counts missed lines",
  () => {
    const many = numbered(1, 40);

    expect(twoReads(many, numbered(1, 45)).second).toMatchObject({
      anchor: "exact",
      linesMissed: 0,
    });
    expect(twoReads(many, numbered(1, 45), {}, { width: 60 }).second).toMatchObject({
      anchor: "matched",
      linesMissed: undefined,
      newLines: numbered(41, 45).map((text) => ({ text })),
    });
    expect(twoReads(many, ["unrelated"]).second).toMatchObject({
      anchor: "lost",
      linesMissed: undefined,
      newLines: [{ text: "unrelated" }],
    });
    const again = ["z", ...many, "x", ...many];
    expect(twoReads(many, again, {}, { width: 60 }).second).toMatchObject({
      anchor: "ambiguous",
      linesMissed: undefined,
    });
  },
);

test("a redrawn screen gives its changed lines as rewritten and never repeats the others", () => {
  const before = [...numbered(1, 20), "10%", "20%"];
  const after = [...numbered(1, 20), "50%", "20%", "done"];

  const { second } = twoReads(before, after);

  expect(second).toMatchObject({
    anchor: "exact",
    rewritten: [{ line: 21, shown: { text: "50%" } }],
    newLines: [{ text: "done" }],
    firstLine: 23,
  });
});

test("a history that tmux may have trimmed proves nothing where the lines before occur twice", () => {
  const full = { historyLimit: 34 };
  const same = Array.from({ length: 40 }, () => "y");

  expect(twoReads(same, same, full, full).second).toMatchObject({
    anchor: "ambiguous",
    linesMissed: undefined,
  });
  expect(twoReads(numbered(1, 40), numbered(1, 40), full, full).second).toMatchObject({
    anchor: "exact",
    linesMissed: 0,
  });
});

test("a history just under the mark where tmux may trim proves by itself", () => {
  const same = Array.from({ length: 40 }, () => "y");
  // 40 lines and the cursor's on 10 rows leave 31 rows of history; a limit of 36 trims down to 33.
  const anchor = (historyLimit: number): string =>
    twoReads(same, same, { historyLimit }, { historyLimit }).second.anchor;

  expect([anchor(36), anchor(35), anchor(34)]).toEqual(["exact", "exact", "ambiguous"]);
});

test("a pane cleared before anything was read in it is not taken for the same one", () => {
  const shown = { partial: "$ cle" };

  expect(twoReads([], ["$ clear", "out"], shown).second).toMatchObject({ anchor: "exact" });
  expect(twoReads([], ["out"], shown).second).toMatchObject({
    anchor: "lost",
    linesMissed: undefined,
  });
});

proves(
  "TMUX-28",
  "full reads return the newest lines and other reads the oldest unread, each counted",
  () => {
    const limits = { ...order, maxLines: 3 };
    const first = read(numbered(1, 5), undefined, limits);
    const second = read(numbered(1, 12), first.position, limits);
    const third = read(numbered(1, 12), second.position, { ...order, maxLines: 4 });

    expect(texts(first.reading)).toEqual(numbered(3, 5));
    expect(first.reading).toMatchObject({ linesSkipped: 2, linesRemaining: 0, firstLine: 3 });
    expect(texts(second.reading)).toEqual(numbered(6, 8));
    expect(second.reading).toMatchObject({
      linesSkipped: 0,
      linesRemaining: 4,
      firstLine: 6,
      totalLines: 12,
    });
    expect(texts(third.reading)).toEqual(numbered(9, 12));
    expect(third.reading).toMatchObject({ linesRemaining: 0, firstLine: 9 });
  },
);

proves(
  "TMUX-23",
  "the cursor's line is partial, and text below it makes every line a screen line",
  () => {
    const prompt = read(["out"], undefined, order, { partial: "$ " });
    const drawing = captured(["one", "two", "three"]);
    const above = { ...drawing, facts: { ...drawing.facts, cursorY: 1 } };
    const screen = readPane(above, undefined, order);

    expect(prompt.reading).toMatchObject({ newLines: [{ text: "out" }], partial: { text: "$ " } });
    expect(screen).toMatchObject({
      reading: {
        newLines: [{ text: "one" }, { text: "two" }, { text: "three" }],
        partial: undefined,
      },
    });
  },
);

test("whatever is appended, each line comes once and in order", () => {
  const line = fc.constantFrom("", "y", "same", "a", "b", "c");
  fc.assert(
    fc.property(fc.array(fc.array(line, { maxLength: 30 }), { maxLength: 8 }), (batches) => {
      const all: string[] = [];
      const seen: string[] = [];
      let position: ReadingPosition | undefined;
      for (const batch of batches) {
        all.push(...batch);
        const next = read(all, position, order);
        seen.push(...texts(next.reading));
        position = next.position;
      }
      expect(seen).toEqual(all);
    }),
  );
});

function newAfter(before: readonly string[], after: readonly string[]): string[] {
  return texts(twoReads(before, after).second);
}

function twoReads(
  before: readonly string[],
  after: readonly string[],
  shownBefore: Shown = {},
  shownAfter: Shown = {},
): { first: Reading; second: Reading } {
  const first = read(before, undefined, order, shownBefore);
  const second = read(after, first.position, order, shownAfter);
  return { first: first.reading, second: second.reading };
}

function read(
  lines: readonly string[],
  position: ReadingPosition | undefined,
  limits: typeof order,
  shown: Shown = {},
): { reading: Reading; position: ReadingPosition } {
  const result = readPane(captured(lines, shown), position, limits);
  if (result.kind !== "read") throw new Error("a complete capture asked for more");
  return result;
}

function texts(reading: Reading): string[] {
  return reading.newLines.map(({ text }) => text);
}

function numbered(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_none, index) => `line${String(from + index)}`);
}
