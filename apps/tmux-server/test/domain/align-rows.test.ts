import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { alignRows } from "../../src/domain/align-rows.ts";

proves("TMUX-21", "a wrapped line is one line that starts at its first row, blanks kept", () => {
  const rows = ["ab", "12345", "67 ", "", "12345", "6"];
  const lines = ["ab", "1234567 ", "", "123456"];

  expect(alignRows(rows, lines)).toEqual([0, 1, 3, 4]);
});

test("rows may carry blanks that the line lacks", () => {
  expect(alignRows(["ab   ", "12345", "6    ", "c"], ["ab", "123456", "c"])).toEqual([0, 1, 3]);
});

test("an erased continuation belongs to the line above it", () => {
  expect(alignRows(["12345", "", "next"], ["12345", "next"])).toEqual([0, 2]);
});

test("any lines cut into rows of any width are put together again", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      (lines, width) => {
        const cut = lines.map(
          (line) => line.match(new RegExp(`.{1,${String(width)}}`, "g")) ?? [""],
        );
        const starts = cut.map((_rows, index) => cut.slice(0, index).flat().length);

        expect(alignRows(cut.flat(), lines)).toEqual(starts);
      },
    ),
  );
});
