import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  allot,
  captureWindow,
  renderCaptured,
  type CapturedStream,
} from "../src/captured-stream.ts";
import { OutputFeed } from "../src/output-feed.ts";
import { OutputWindow } from "../src/output-window.ts";

/** What a run with this cap keeps of two streams that arrive in these pieces. */
function capture(
  cap: number,
  pieces: readonly (readonly ["stdout" | "stderr", Uint8Array])[],
): readonly [CapturedStream, CapturedStream] {
  const half = Math.ceil(cap / 2);
  const windows = { stdout: new OutputWindow(half, half), stderr: new OutputWindow(half, half) };
  for (const [stream, bytes] of pieces) windows[stream].push(bytes);
  const [first, second] = allot(cap, windows.stdout.total, windows.stderr.total);
  return [captureWindow(windows.stdout, first), captureWindow(windows.stderr, second)];
}

/** The same stream in pieces of the given lengths, then the rest. */
function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let start = 0;
  const pieces = lengths.map((length) => bytes.subarray(start, (start += length)));
  return [...pieces, bytes.subarray(start)];
}

const text = fc
  .oneof(fc.string({ unit: "grapheme", maxLength: 60 }), fc.uint8Array({ maxLength: 120 }))
  .map((value) => Buffer.from(value as Uint8Array));
const lengths = fc.array(fc.nat({ max: 40 }), { maxLength: 6 });

proves("EXEC-16", "interleaving never changes a capture", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 150 }),
      text,
      text,
      lengths,
      lengths,
      fc.infiniteStream(fc.boolean()),
      (cap, out, err, outLengths, errLengths, order) => {
        const queues = { stdout: cut(out, outLengths), stderr: cut(err, errLengths) };
        const pieces: ["stdout" | "stderr", Uint8Array][] = [];
        while (queues.stdout.length + queues.stderr.length > 0) {
          const stream = order.next().value ? "stdout" : "stderr";
          const piece = queues[stream].shift();
          if (piece !== undefined) pieces.push([stream, piece]);
        }

        const mixed = capture(cap, pieces);
        const whole = capture(cap, [
          ["stdout", out],
          ["stderr", err],
        ]);

        expect(JSON.stringify(mixed)).toBe(JSON.stringify(whole));
        expect(mixed.map((stream) => stream.bytes())).toEqual(
          whole.map((stream) => stream.bytes()),
        );
      },
    ),
    { numRuns: 500 },
  );
});

proves(
  ["EXEC-16", "EXEC-17"],
  "kept bytes are the stream's own head and tail, within the cap, exactly counted",
  () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 150 }), text, text, (cap, out, err) => {
        const streams = capture(cap, [
          ["stdout", out],
          ["stderr", err],
        ]);

        const kept = streams.map((stream) => stream.headBytes + stream.tailBytes);
        expect((kept[0] ?? 0) + (kept[1] ?? 0)).toBeLessThanOrEqual(cap);
        for (const [stream, bytes] of [
          [streams[0], out],
          [streams[1], err],
        ] as const) {
          const { head, tail } = stream.bytes();
          expect(stream.headBytes + stream.omittedBytes + stream.tailBytes).toBe(bytes.length);
          expect(bytes.subarray(0, head.length).equals(head)).toBe(true);
          expect(bytes.subarray(bytes.length - tail.length).equals(tail)).toBe(true);
          // A cut takes at most an incomplete character off each side.
          const share = Math.min(bytes.length, Math.floor(cap / 2));
          expect(stream.headBytes + stream.tailBytes).toBeGreaterThanOrEqual(share - 6);
        }
      }),
      { numRuns: 500 },
    );
  },
);

test("a stream is sure of half the cap and gets what the other leaves", () => {
  expect(allot(100, 30, 70)).toEqual([30, 70]);
  expect(allot(100, 30, 71)).toEqual([30, 70]);
  expect(allot(100, 1000, 1000)).toEqual([50, 50]);
  expect(allot(100, 1000, 20)).toEqual([80, 20]);
  expect(allot(101, 1000, 1000)).toEqual([51, 50]);
});

proves("EXEC-17", "cuts fall between characters, whatever their length", () => {
  for (const character of ["é", "≤", "𝄞"]) {
    for (let cap = 8; cap < 24; cap += 1) {
      const [stream] = capture(cap, [["stdout", Buffer.from(character.repeat(20))]]);

      expect(stream.encoding).toBe("utf-8");
      expect(stream.head + stream.tail).not.toContain("\uFFFD");
    }
  }
});

proves(
  "EXEC-18",
  "the rendering tells how many bytes are missing; one under and at the cap nothing is",
  () => {
    const render = (length: number): string =>
      renderCaptured(capture(8, [["stdout", Buffer.from("abcdefghijk".slice(0, length))]])[0]);

    expect(render(7)).toBe("abcdefg");
    expect(render(8)).toBe("abcdefgh");
    expect(render(9)).toBe("abcd\n[1 bytes omitted]\nfghi");
  },
);

proves(
  "EXEC-18",
  "the listener gets all bytes at the cap without a note, and one byte over it the note",
  () => {
    const shown = (length: number): string[] => {
      const parts: string[] = [];
      const feed = new OutputFeed((stream, part) => parts.push(`${stream}:${part}`), 4);
      feed.push("stdout", Buffer.from("ab"));
      feed.push("stderr", Buffer.from("cdefg".slice(0, length)));
      feed.push("stdout", Buffer.from(""));
      return parts;
    };

    expect(shown(2)).toEqual(["stdout:ab", "stderr:cd"]);
    expect(shown(3)).toEqual([
      "stdout:ab",
      "stderr:cd",
      "stderr:\n[output after 4 bytes is not shown here]\n",
    ]);
  },
);
