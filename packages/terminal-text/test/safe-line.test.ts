import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isSafeLine, safeLine } from "../src/index.ts";
import { hostileBytes, runs } from "./hostile-bytes.ts";

const hostileText = hostileBytes.map((bytes) => Buffer.from(bytes).toString("utf8"));

test.each([0, 1_001, 1.5, Number.NaN])("a maxChars of %d is refused", (maxChars) => {
  expect(() => safeLine("a", { maxChars })).toThrow(
    expect.objectContaining({ code: "invalid_option" }),
  );
});

proves("TEXT-07", "a safe line is one line, clean and never empty", () => {
  expect(safeLine("a\r\nb\tc\u001b[31m\u0007\u202e")).toBe("a b c^G⟦U+202E⟧");
  expect(safeLine("")).toBe("(empty)");
  expect(safeLine(" \n\u001b[m")).toBe("(empty)");
  expect(safeLine("\u001b[8mkey")).toBe("⟦hidden: 3 chars⟧");
});

proves("TEXT-07", "a line of exactly maxChars graphemes stays, one more is clipped", () => {
  expect(safeLine("abc", { maxChars: 4 })).toBe("abc");
  expect(safeLine("abcd", { maxChars: 4 })).toBe("abcd");
  expect(safeLine("abcde", { maxChars: 4 })).toBe("abc…");
  expect(safeLine("ab", { maxChars: 1 })).toBe("…");
  expect(safeLine("👩\u200d👧e\u0301👩\u200d👧x", { maxChars: 3 })).toBe("👩\u200d👧e\u0301…");
  expect(safeLine("a".repeat(121))).toBe(`${"a".repeat(119)}…`);
});

test("an endless emoji sequence cannot pass for a few graphemes", () => {
  expect(safeLine("👩\u200d".repeat(10_000), { maxChars: 20 })).toBe("…");
});

proves(
  "TEXT-07",
  "what safeLine gives is a safe line that it leaves alone, whatever went in",
  () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 30 }), (text, maxChars) => {
        const line = safeLine(text, { maxChars });

        expect(isSafeLine(line)).toBe(true);
        expect(safeLine(line, { maxChars })).toBe(line);
        expect([...new Intl.Segmenter("en").segment(line)].length).toBeLessThanOrEqual(maxChars);
      }),
      { numRuns: runs },
    );
  },
);

test.each(["", " ", "a\nb", "a\tb", "a\u0007", "a\u200b", "\u001b[31ma", "a\ud800", "a\r"])(
  "%j is no safe line",
  (text) => {
    expect(isSafeLine(text)).toBe(false);
  },
);

test.each(["a", " a ", "ж漢😀", "⟦U+200B⟧", "x".repeat(5_000)])("%j is a safe line", (text) => {
  expect(isSafeLine(text)).toBe(true);
});
