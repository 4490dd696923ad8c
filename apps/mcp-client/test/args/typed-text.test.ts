import {
  array,
  assert,
  asyncProperty,
  bigInt,
  boolean,
  constant,
  constantFrom,
  double,
  integer,
  jsonValue,
  letrec,
  oneof,
  pre,
  record,
  string,
  uniqueArray,
} from "fast-check";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { argumentKind } from "../../src/args/argument-kind.ts";
import { composeArguments } from "../../src/args/compose.ts";
import { readExactJson } from "../../src/args/exact-arguments.ts";
import { exampleWord } from "../../src/args/example.ts";
import { readWord, type ArgumentWord } from "../../src/args/words.ts";
import { stringifyExact } from "../../src/protocol/exact-json.ts";

/** What goes over the wire for some words, or the refusal. */
async function wire(
  words: readonly string[],
  properties: Record<string, unknown>,
  more: Record<string, unknown> = {},
  base: Record<string, unknown> = {},
): Promise<string> {
  const composed = await composeArguments({
    words: words.map((word) => readWord(word) as ArgumentWord),
    base,
    schema: { type: "object", properties, ...more },
  });
  return composed.kind === "ok" ? stringifyExact(composed.args) : composed.error.message;
}

const one = (schema: unknown, text: string) => wire([`k=${text}`], { k: schema });

proves("CLNT-33", "text is typed by the schema, digit for digit, or refused", async () => {
  expect(await one({ type: "string" }, " 007 ")).toBe('{"k":" 007 "}');
  expect(await one({ type: "string" }, "")).toBe('{"k":""}');
  expect(await one({ type: "integer" }, "9007199254740993")).toBe('{"k":9007199254740993}');
  expect(await one({ type: "integer" }, "-0")).toBe('{"k":-0}');
  expect(await one({ type: "number" }, "1.10e5")).toBe('{"k":1.10e5}');
  expect(await one({ type: "boolean" }, "true")).toBe('{"k":true}');
  for (const text of ["007", "+1", "1.0", "1e3", " 1", "", "0x1", "one", "--1"]) {
    expect(await one({ type: "integer" }, text)).toContain("takes an integer");
  }
  for (const text of ["01", ".5", "1.", "NaN", "Infinity", "1e", "+1", ""]) {
    expect(await one({ type: "number" }, text)).toContain("takes a number");
  }
  for (const text of ["True", "1", "yes", ""]) {
    expect(await one({ type: "boolean" }, text)).toContain("true or false");
  }

  await assert(
    asyncProperty(bigInt(), async (value) => {
      expect(await one({ type: "integer" }, String(value))).toBe(`{"k":${String(value)}}`);
    }),
  );
  await assert(
    asyncProperty(string({ unit: "binary" }), async (text) => {
      expect(JSON.parse(await one({ type: "string" }, text))).toEqual({ k: text });
    }),
  );
  await assert(
    asyncProperty(double({ noNaN: true, noDefaultInfinity: true }), async (value) => {
      const text = JSON.stringify(value);
      expect(await one({ type: "number" }, text)).toBe(`{"k":${text}}`);
    }),
  );
});

proves(
  "CLNT-35",
  "lists take a word per element; unions, objects and enums have their own rules",
  async () => {
    const strings = { type: "array", items: { type: "string" } };
    expect(await wire(["k=a", "k=b"], { k: strings })).toBe('{"k":["a","b"]}');
    expect(await wire(["k=a,b"], { k: strings })).toBe('{"k":["a,b"]}');
    expect(await wire(["k=1"], { k: { type: "array", items: { type: "integer" } } })).toBe(
      '{"k":[1]}',
    );
    expect(await wire(['k:=["a"]'], { k: strings })).toBe('{"k":["a"]}');
    expect(await wire(['k:=["a"]', "k=b"], { k: strings })).toContain("given twice");

    expect(await one({ type: ["integer", "string"] }, "5")).toBe('{"k":"5"}');
    expect(await one({ anyOf: [{ type: "null" }, { type: "string" }] }, "5")).toBe('{"k":"5"}');
    expect(await one({ type: ["integer", "null"] }, "5")).toContain("with :=");
    expect(await one({ type: "object" }, "{}")).toContain("with :=");
    expect(await wire(["k:=5"], { k: { type: ["integer", "null"] } })).toBe('{"k":5}');

    const colours = { enum: ["red", "green", 3, null] };
    expect(await one(colours, "red")).toBe('{"k":"red"}');
    expect(await one(colours, "3")).toBe('{"k":3}');
    expect(await one(colours, "grean")).toContain('did you mean "green"');
    expect(await one(colours, "Red")).toContain("takes one of");
  },
);

proves(
  "CLNT-36",
  "a key the schema does not name is warned of or refused, and none is given twice",
  async () => {
    const properties = { text: { type: "string" } };
    const composed = await composeArguments({
      words: [{ key: "more", form: "text", value: "5" }],
      base: {},
      schema: { type: "object", properties },
    });
    expect(composed).toMatchObject({ kind: "ok", args: { more: "5" } });
    expect(composed.kind === "ok" && composed.warnings.map(({ code }) => code)).toEqual([
      "unknown_argument",
    ]);

    const closed = { additionalProperties: false };
    expect(await wire(["txt=5"], properties, closed)).toContain("did you mean text?");
    expect(await wire([], properties, closed, { txt: 5 })).toContain("did you mean text?");
    expect(await wire(["text=a", "text=b"], properties)).toContain("text is given twice");
    expect(await wire(["text=a"], properties, {}, { text: "b" })).toContain("and in --args");
    expect(await wire(["__proto__=a"], properties)).toBe('{"__proto__":"a"}');
  },
);

test("missing and mistyped arguments are refused by name; pattern and length are the server's", async () => {
  const properties = {
    n: { type: "integer" },
    o: { type: "object", properties: { deep: { type: "array", items: { type: "boolean" } } } },
    s: { type: "string", pattern: "^x", maxLength: 1, format: "uuid" },
  };

  expect(await wire([], properties, { required: ["n", "s"] })).toContain("not given: n, s");
  expect(await wire(['n:="5"'], properties)).toContain("n is string, not integer");
  expect(await wire(["n:=5.5"], properties)).toContain("n is number, not integer");
  expect(await wire(['o:={"deep":[true,1]}'], properties)).toContain("o.deep[1] is integer");
  expect(await wire([], properties, {}, { n: "x" })).toContain("n is string");
  expect(await wire(["s=free text"], properties)).toBe('{"s":"free text"}');
  expect(await wire(["n:=9007199254740993"], properties)).toBe('{"n":9007199254740993}');
});

test("references are followed inside the schema", async () => {
  const schema = { $defs: { n: { $ref: "#/$defs/m" }, m: { type: "integer" } } };

  expect(await wire(["k=5"], { k: { $ref: "#/$defs/n" } }, schema)).toBe('{"k":5}');
});

test("JSON is read strictly and keeps every digit", async () => {
  const exact = async (text: string) => {
    const read = await readExactJson(text);
    return read.ok ? stringifyExact(read.value) : read.why;
  };

  expect(await exact('{"a":90071992547409931234,"b":1.10,"c":"12345678901234567890"}')).toBe(
    '{"a":90071992547409931234,"b":1.10,"c":"12345678901234567890"}',
  );
  expect(await exact('{"a":1,"a":2}')).toContain("duplicate_key at line 1");
  expect(await exact('{"a":12345678901234567890,"a":2}')).toContain("duplicate_key");
  expect(await exact('{"__proto__":1}')).toContain("forbidden_key");
  expect(await exact("{'a':1}")).toContain("not_json");
  expect(await exact("0123456789012345678")).not.toBe("123456789012345678");
  await assert(
    asyncProperty(jsonValue({ maxDepth: 4 }), async (value) => {
      const text = JSON.stringify(value);
      pre(!text.includes('"__proto__"'));
      expect(await exact(text)).toBe(text);
    }),
  );
});

const schemas = letrec((tie) => ({
  any: oneof(
    { maxDepth: 3 },
    constantFrom("string", "integer", "number", "boolean", "object", "null").map((type) => ({
      type,
    })),
    uniqueArray(oneof(string({ minLength: 1 }), integer(), boolean()), {
      minLength: 1,
    }).map((values) => ({ enum: values })),
    record({ type: constant("array"), items: tie("any") }),
    array(tie("any"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    uniqueArray(constantFrom("string", "integer", "null", "array"), { minLength: 1 }).map(
      (type) => ({ type }),
    ),
  ),
}));

proves("CLNT-34", "every example that describe prints is accepted by the parser", async () => {
  await assert(
    asyncProperty(schemas.any, async (schema) => {
      const word = exampleWord("k", schema, {});
      expect(await wire([word], { k: schema })).toMatch(/^\{"k":/);
    }),
    { numRuns: 500 },
  );
  expect(argumentKind({}, {})).toEqual({ kind: "string" });
});
