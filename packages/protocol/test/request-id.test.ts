import { expect, test } from "vitest";
import { isRequestId, newRequestId } from "../src/index.ts";
import { requestIdSchema } from "../src/schema/index.ts";

test("a new request id is a UUID of version 7 that starts with the time", () => {
  const id = newRequestId(0x0123456789ab);

  expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(requestIdSchema.parse(id)).toBe(id);
});

test("ids of one moment differ", () => {
  const ids = Array.from({ length: 1000 }, () => newRequestId(0));

  expect(new Set(ids).size).toBe(1000);
});

test("an id of now sorts before one of later", () => {
  expect(newRequestId() < newRequestId(Date.now() + 60_000)).toBe(true);
});

test.each([
  ["", false],
  ["a", true],
  ["a".repeat(256), true],
  ["a".repeat(257), false],
  ["é".repeat(128), true],
  ["é".repeat(129), false],
  [0, true],
  [-1, true],
  [1.5, false],
  [2 ** 53 - 1, true],
  [2 ** 53, false],
  [NaN, false],
  [null, false],
  [true, false],
])("JSON-RPC id %j is legal: %s", (id, legal) => {
  expect(isRequestId(id)).toBe(legal);
});
