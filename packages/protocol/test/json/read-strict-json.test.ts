import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProtocolError } from "../../src/index.ts";
import { readStrictJson, type StrictJsonOptions } from "../../src/json/index.ts";
import { bytesOf, loadVectors, type VectorInput } from "../vectors.ts";

interface StrictJsonVector extends VectorInput {
  readonly options?: StrictJsonOptions;
  readonly expect: "ok" | Readonly<Record<string, unknown>>;
}

const vectors = loadVectors("strict-json.json") as readonly StrictJsonVector[];

describe("every published vector", () => {
  for (const vector of vectors) {
    proves(["PROTO-18", "PROTO-22"], vector.name, () => {
      const bytes = bytesOf(vector);

      const read = readStrictJson(bytes, vector.options);

      expect(read).toEqual(
        vector.expect === "ok"
          ? { ok: true, value: JSON.parse(Buffer.from(bytes).toString()) }
          : { ok: false, ...vector.expect },
      );
    });
  }
});

test.each([
  [1023, "ok"],
  [1024, "ok"],
  [1025, "too_large"],
])("a text of %d bytes under a cap of 1024 is %s", (length, expected) => {
  const read = readStrictJson(Buffer.from(`"${"x".repeat(length - 2)}"`), { maxBytes: 1024 });

  expect(read.ok ? "ok" : read.code).toBe(expected);
});

test.each([{ maxBytes: 1023 }, { maxDepth: 0 }, { maxDepth: 65 }, { maxValues: 0.5 }])(
  "options outside their bounds are refused: %j",
  (options) => {
    const attempt = () => readStrictJson(Buffer.from("1"), options);

    expect(attempt).toThrow(ProtocolError);
  },
);

test("a path from the peer is cut", () => {
  const key = "k".repeat(1000);

  const read = readStrictJson(Buffer.from(`{"${key}":1e999}`));

  expect(read).toMatchObject({ code: "unsafe_number", path: `/${"k".repeat(255)}` });
});

test("a text of brackets alone is judged without running out of stack", () => {
  expect(readStrictJson(Buffer.from("[".repeat(1_000_000)))).toMatchObject({ code: "not_json" });
  expect(readStrictJson(Buffer.from("[".repeat(9000) + "]".repeat(9000)))).toMatchObject({
    code: "too_deep",
  });
});

proves("PROTO-18", "whatever JSON.stringify writes is read back as the same value", () => {
  const json = fc.jsonValue({ maxDepth: 20 }).filter((value) => !hasForbidden(value));

  fc.assert(
    fc.property(json, fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);

      expect(readStrictJson(Buffer.from(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

proves("PROTO-18", "what is accepted is JSON, and what is called not_json is not", () => {
  const seeds = vectors.map(bytesOf);
  const edit = fc.tuple(fc.nat(80), fc.nat(3), fc.uint8Array({ maxLength: 3 }));

  fc.assert(
    fc.property(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 4 }), (seed, edits) => {
      const mutated = edits.reduce(splice, [...seed]);
      const read = readStrictJson(Uint8Array.from(mutated));
      const parsed = parse(mutated);

      if (read.ok) expect(parsed).toEqual({ value: read.value });
      else if (read.code === "not_json") expect(parsed).toBeUndefined();
      else if (read.code !== "invalid_utf8") expect(parsed).toBeDefined();
    }),
    { numRuns: 20_000 },
  );
});

function splice(bytes: number[], [at, removed, added]: [number, number, Uint8Array]): number[] {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  return bytes.toSpliced(place, removed, ...added);
}

function parse(bytes: readonly number[]): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(Buffer.from(bytes).toString()) as unknown };
  } catch {
    return undefined;
  }
}

/** Generated values may hold what strict JSON refuses: that key, half characters, integers past 2^53. */
function hasForbidden(value: unknown): boolean {
  return /__proto__|\\ud[89a-f]|(?<![.\d])\d{16,}/.test(JSON.stringify(value));
}
