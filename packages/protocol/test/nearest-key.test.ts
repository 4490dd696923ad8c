import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nearestKey } from "../src/nearest-key.ts";

const known = ["session", "window", "pane", "lines"];

test.each([
  ["sesion", "session"],
  ["Pane", "pane"],
  ["line", "lines"],
  ["wnidow", "window"],
])("%s most likely means %s", (key, expected) => {
  expect(nearestKey(key, known)).toBe(expected);
});

test("a key close to nothing has no nearest one", () => {
  expect(nearestKey("colour", known)).toBeUndefined();
});

test("any key gets a known one or none, however long it is", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), (key) => {
      expect([...known, undefined]).toContain(nearestKey(key, known));
    }),
  );
});
