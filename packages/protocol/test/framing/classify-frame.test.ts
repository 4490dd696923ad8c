import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyFrame, oversizeReply } from "../../src/framing/index.ts";
import { isRequestId } from "../../src/index.ts";
import { bytesOf, loadVectors, type VectorInput } from "../vectors.ts";

interface FrameVector extends VectorInput {
  readonly kind: string;
  readonly reply?: { readonly id: unknown; readonly code: number; readonly data: object };
}

const vectors = loadVectors("frames.json") as readonly FrameVector[];

describe("every published vector", () => {
  for (const vector of vectors) {
    proves(["PROTO-15", "PROTO-22"], `${vector.name} is a ${vector.kind}`, () => {
      const bytes = bytesOf(vector);

      const frame = classifyFrame(bytes);

      if (vector.reply === undefined) {
        const message = JSON.parse(Buffer.from(bytes).toString()) as unknown;
        expect(frame).toEqual({ kind: vector.kind, message });
      } else {
        const { id, code, data } = vector.reply;
        const error = { code, data, message: expect.any(String) };
        expect(frame).toMatchObject({ kind: "fault" });
        expect(frame).toHaveProperty("reply", { jsonrpc: "2.0", id, error });
      }
    });
  }
});

proves("PROTO-15", "a frame over the cap is answered -32700 with the cap, id null", () => {
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"${"x".repeat(1024)}"}`);

  const frame = classifyFrame(bytes, { maxBytes: 1024 });

  expect(frame).toEqual({ kind: "fault", reply: oversizeReply(1024) });
  expect(oversizeReply(1024)).toMatchObject({
    id: null,
    error: { code: -32700, data: { code: "too_large", limitBytes: 1024 } },
  });
});

test("a reply never repeats a value of the frame", () => {
  const secret = "hunter2";
  const frames = [
    `{"jsonrpc":"2.0","id":1,"method":"x","params":"${secret}"}`,
    `{"jsonrpc":"${secret}","id":1,"method":"x"}`,
    `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"${secret}","a":1}}`,
    `{"jsonrpc":"2.0","id":1,"method":"${secret}"`,
  ];

  const replies = frames.map((frame) => JSON.stringify(classifyFrame(Buffer.from(frame))));

  expect(replies.filter((reply) => reply.includes(secret))).toEqual([]);
});

proves("PROTO-15", "no mutated frame throws, and a fault has one reply with a legal id", () => {
  const seeds = vectors.map((vector) => [...bytesOf(vector)]);
  const edit = fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 }));

  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      (seed, edits) => {
        const mutated = edits.reduce(
          (bytes, [at, removed, added]) =>
            bytes.toSpliced(at % (bytes.length + 1), removed, ...added),
          seed,
        );

        const frame = classifyFrame(Uint8Array.from(mutated));

        if (frame.kind !== "fault") return frame.message.jsonrpc === "2.0";
        const { id, error } = frame.reply;
        return (id === null || isRequestId(id)) && [-32700, -32600].includes(error.code);
      },
    ),
    { numRuns: 20_000 },
  );
  expect(seeds.length).toBeGreaterThan(50);
});
