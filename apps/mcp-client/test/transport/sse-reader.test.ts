import { array, assert, constantFrom, integer, property } from "fast-check";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { SseReader } from "../../src/transport/http/sse-reader.ts";

/** What a reader makes of a text that arrives in pieces of the given sizes. */
function read(text: string | Uint8Array, sizes: readonly number[] = [], maxEventBytes = 1_000) {
  const data: string[] = [];
  const told: boolean[] = [];
  let tooLarge = 0;
  const reader = new SseReader({
    maxEventBytes,
    onData: (bytes) => data.push(Buffer.from(bytes).toString()),
    onTooLarge: () => {
      tooLarge += 1;
    },
  });
  const bytes = Buffer.from(text);
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    if (at >= bytes.length) break;
    told.push(reader.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return { data, told, tooLarge, position: reader.position };
}

test("an event is its data lines, joined; comments, other events and unended ones are not", () => {
  const stream =
    ": hi\ndata: a\ndata:b\n\nevent: other\ndata: no\n\nevent: message\r\ndata:  c\r\r\ndata\n\ndata: cut";

  expect(read(stream).data).toEqual(["a\nb", " c"]);
});

test("a byte order mark is skipped once, and only a whole one", () => {
  expect(read("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n").data).toEqual(["a"]);
  expect(read(Buffer.from([0xef, 0xbb, 0x0a, ...Buffer.from("data: a\n\n")])).data).toEqual(["a"]);
});

test("an id counts once its event has ended, with or without data", () => {
  expect(read("id: 1\nretry: 50\n\nid: 2\ndata: cut").position).toEqual({
    lastEventId: "1",
    retryMs: 50,
  });
  expect(read("id: 1\n\nid\n\nretry: soon\n\n").position).toEqual({
    lastEventId: "",
    retryMs: undefined,
  });
  expect(read("id: a\0b\ndata: x\n\n").position.lastEventId).toBeUndefined();
});

test("the cap is on one event; comments do not count and a long one is not kept", () => {
  const event = (bytes: number) => `data: ${"x".repeat(bytes - 6)}\n\n`;

  expect(read(event(100), [], 100)).toMatchObject({ tooLarge: 0 });
  expect(read(event(101), [], 100)).toMatchObject({ tooLarge: 1, data: [] });
  expect(read(event(100).repeat(3), [], 100).data).toHaveLength(3);
  expect(read(`:${"c".repeat(5_000)}\ndata: a\n\n`, [64], 100)).toMatchObject({
    tooLarge: 0,
    data: ["a"],
  });
});

test("only bytes of fields count as activity", () => {
  expect(read(": ping\n\ndata: a\n\n", [8, 4]).told).toEqual([false, true, true]);
});

proves(["CLNT-64", "CLNT-163"], "a stream means the same however it is split", () => {
  const piece = constantFrom(
    "data: ü",
    "data:",
    "data",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    ": c",
    "id: 7",
    "\u{FEFF}",
    "event: x",
    "ab",
  );
  assert(
    property(
      array(piece, { maxLength: 30 }),
      array(integer({ min: 1, max: 5 }), { maxLength: 40 }),
      (pieces, sizes) => {
        const whole = read(pieces.join(""));
        const split = read(pieces.join(""), sizes);
        expect([split.data, split.position]).toEqual([whole.data, whole.position]);
      },
    ),
    { numRuns: 1_000 },
  );
});
