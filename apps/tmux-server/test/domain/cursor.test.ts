import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "../../src/domain/cursor.ts";
import type { ReadingPosition } from "../../src/domain/position.ts";

const pane = { paneId: "%7", panePid: 4_321 };
const position: ReadingPosition = {
  lines: {
    width: 100,
    historySize: 12,
    nextRow: 20,
    nextNumber: 21,
    hashes: BigUint64Array.from({ length: 16 }, (_none, index) => BigInt(index) << 40n),
    onScreen: 8,
    screenRow: 12,
    partial: { length: 2, hash: 99n },
  },
  screen: 5n,
};

proves(
  "TMUX-29",
  "a cursor brings back the position it was made of, in at most 1024 characters",
  () => {
    const cursor = encodeCursor(pane, position);

    expect(decodeCursor(cursor)).toEqual({ pane, position });
    expect(cursor.length).toBeLessThan(300);
  },
);

test("a position of nothing comes back too", () => {
  const empty = { lines: undefined, screen: undefined };

  expect(decodeCursor(encodeCursor(pane, empty))).toEqual({ pane, position: empty });
});

test("only the last hashes travel, and no text", () => {
  const long = { ...position.lines, hashes: new BigUint64Array(100).fill(7n), onScreen: 30 };
  const decoded = decodeCursor(
    encodeCursor(pane, { ...position, lines: { ...position.lines, ...long } as never }),
  );

  expect(decoded?.position.lines?.hashes).toEqual(new BigUint64Array(16).fill(7n));
  expect(decoded?.position.lines?.onScreen).toBe(16);
});

test("changed bytes are no cursor, whichever they are", () => {
  const bytes = Buffer.from(encodeCursor(pane, position), "base64url");
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const mutated = Buffer.from(bytes);
      mutated[place] = (mutated[place] ?? 0) ^ change;

      expect(decodeCursor(mutated.toString("base64url"))).toBeUndefined();
    }),
  );
});

test("any text is read without an exception", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String({ maxLength: 1_024 })), (text) => {
      expect(decodeCursor(text)).toBeUndefined();
    }),
  );
});
