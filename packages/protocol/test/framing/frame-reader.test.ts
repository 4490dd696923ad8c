import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type FrameFault, FrameReader, type FrameReaderOptions } from "../../src/framing/index.ts";
import { ProtocolError } from "../../src/index.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

type Caps = Pick<FrameReaderOptions, "maxFrameBytes" | "maxDiscardBytes">;

/** Everything a reader says about these chunks, frames as text. */
function readAll(chunks: readonly (string | Uint8Array)[], caps: Caps = {}) {
  const heard: (string | FrameFault)[] = [];
  const reader = new FrameReader({
    ...caps,
    onFrame: (bytes) => heard.push(Buffer.from(bytes).toString()),
    onFault: (fault) => heard.push(fault),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return heard;
}

proves("PROTO-14", "a frame ends at LF, loses one CR, and blank lines are ignored", () => {
  expect(readAll(["a\nb\r\n\n\r\n \t\r\nc\r\r\n d \n"])).toEqual(["a", "b", "c\r", " d "]);
});

proves("PROTO-14", "CR and other line ends inside a frame are part of it", () => {
  expect(readAll(["a\rb\u2028c\u0085d\n"])).toEqual(["a\rb\u2028c\u0085d"]);
});

proves(
  "PROTO-17",
  "a line at the cap is a frame, one byte more is one fault, and reading goes on",
  () => {
    const caps = { maxFrameBytes: 4 };
    const fault = { kind: "too_large", limitBytes: 4 };

    expect(readAll(["123\n1234\n12345\nok\n"], caps)).toEqual(["123", "1234", fault, "ok"]);
    expect(readAll(["1234\r\n12345\r\nok\n"], caps)).toEqual(["1234", fault, "ok"]);
    expect(readAll(["1234\r", "\n1234\r", "5\nok\n"], caps)).toEqual(["1234", fault, "ok"]);
  },
);

proves("PROTO-17", "an oversize line is reported before it ends", () => {
  const heard: FrameFault[] = [];
  const reader = new FrameReader({
    maxFrameBytes: 4,
    onFrame: () => undefined,
    onFault: (fault) => heard.push(fault),
  });

  reader.push(Buffer.from("12345"));

  expect(heard).toEqual([{ kind: "too_large", limitBytes: 4 }]);
});

proves(
  "PROTO-17",
  "a line is discarded up to its cap; one byte more is a flood and ends reading",
  () => {
    const caps = { maxFrameBytes: 4, maxDiscardBytes: 8 };
    const tooLarge = { kind: "too_large", limitBytes: 4 };

    expect(readAll(["12345678\n87654321\nok\n"], caps)).toEqual([tooLarge, tooLarge, "ok"]);
    expect(readAll(["123456789\nok\n"], caps)).toEqual([
      tooLarge,
      { kind: "frame_flood", limitBytes: 8 },
    ]);
  },
);

proves("PROTO-17", "an end inside a frame is told, and the half frame is not handed over", () => {
  expect(readAll(["a\n{}"])).toEqual(["a", { kind: "truncated_input", pendingBytes: 2 }]);
  expect(readAll(["12345678"], { maxFrameBytes: 4 }).at(-1)).toEqual({
    kind: "truncated_input",
    pendingBytes: 8,
  });
  expect(readAll(["a\n \r"])).toEqual(["a"]);
  expect(readAll([])).toEqual([]);
});

proves("PROTO-14", "how the bytes are cut into chunks changes nothing", () => {
  const piece = fc.constantFrom("\n", "\r\n", "\r", " ", "a", "é", "12345", "123456789", '{"a":1}');
  const caps = { maxFrameBytes: 8, maxDiscardBytes: 24 };

  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.array(fc.nat(12), { minLength: 1, maxLength: 20 }),
      (pieces, sizes) => {
        const bytes = Buffer.from(pieces.join(""));

        expect(readAll(cut(bytes, sizes), caps)).toEqual(readAll([bytes], caps));
      },
    ),
    { numRuns: 2000 },
  );
});

test("small and large pieces of one line keep their order", () => {
  const line = Array.from({ length: 40_000 }, (_, index) => index % 10).join("");

  expect(readAll(cut(Buffer.from(`${line}\n`), [1, 5000, 3, 4096, 4095, 70]))).toEqual([line]);
});

function cut(bytes: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] || 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

proves("PROTO-14", "a frame handed over is not overwritten by what follows", () => {
  const frames: Uint8Array[] = [];
  const reader = new FrameReader({
    onFrame: (bytes) => frames.push(bytes),
    onFault: () => undefined,
  });

  for (const chunk of ["fi", "rst\nse", "cond\n", "third\n"]) reader.push(Buffer.from(chunk));

  expect(frames.map((frame) => Buffer.from(frame).toString())).toEqual([
    "first",
    "second",
    "third",
  ]);
});

proves("PROTO-14", "memory stays near the cap, even for one byte at a time", () => {
  const cap = 4 * 1024 * 1024;
  const reader = new FrameReader({
    maxFrameBytes: cap,
    onFrame: () => undefined,
    onFault: () => undefined,
  });
  const bytes = Buffer.alloc(cap, "x");
  const before = held();

  for (let at = 0; at < cap; at += 1) reader.push(bytes.subarray(at, at + 1));

  expect(held() - before).toBeLessThan(cap + 1024 * 1024);
  reader.end();
});

/** Bytes that survive a full collection, on the heap and off it. */
function held(): number {
  for (let round = 0; round < 3; round += 1) collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test("caps outside their bounds are refused", () => {
  const callbacks = { onFrame: () => undefined, onFault: () => undefined };

  expect(() => new FrameReader({ ...callbacks, maxFrameBytes: 0 })).toThrow(ProtocolError);
});
