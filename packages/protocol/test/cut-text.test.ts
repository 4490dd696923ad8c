import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutText } from "../src/index.ts";

test.each([
  ["abc", 4, "abc", 0],
  ["abc", 3, "abc", 0],
  ["abc", 2, "ab", 1],
  ["abc", 0, "", 3],
  ["é", 1, "", 2],
  ["a😀b", 4, "a", 5],
  ["a😀b", 5, "a😀", 1],
])("%j cut to %d bytes is %j, %d bytes missing", (text, maxBytes, kept, omittedBytes) => {
  expect(cutText(text, maxBytes)).toEqual({
    text: kept,
    truncated: omittedBytes > 0,
    omittedBytes,
  });
});

test("what is kept is a prefix within the budget, and the count adds up", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, maxBytes) => {
      const cut = cutText(text, maxBytes);

      expect(text.startsWith(cut.text)).toBe(true);
      expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(maxBytes);
      expect(Buffer.byteLength(cut.text) + cut.omittedBytes).toBe(Buffer.byteLength(text));
    }),
  );
});
