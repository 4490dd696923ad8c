import { assert, oneof, property, string } from "fast-check";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { exactNumber } from "../../src/protocol/exact-json.ts";
import {
  encodeHeaderValue,
  mirrorHeaders,
  readMirrors,
} from "../../src/protocol/header-mirrors.ts";

const read = (properties: object, more: object = {}) =>
  readMirrors({ name: "t", inputSchema: { type: "object", properties, ...more } });
const field = (header: unknown, type: unknown = "string") => ({ type, "x-mcp-header": header });
const nested = (depth: number): object =>
  depth === 1 ? { a: field("Deep") } : { a: { type: "object", properties: nested(depth - 1) } };
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, field(`H${at}`)]));

test("annotations are read through properties, at most 16 deep and 64 of them", () => {
  expect(
    read({ a: field("Region"), b: { type: "object", properties: { c: field("N", "integer") } } }),
  ).toEqual({
    kind: "mirrors",
    mirrors: expect.arrayContaining([
      { path: ["a"], header: "Region" },
      { path: ["b", "c"], header: "N" },
    ]),
  });
  expect(read({ a: { type: "string", default: { "x-mcp-header": "data" } } }).kind).toBe("mirrors");
  expect([read(nested(15)), read(nested(16)), read(nested(17))].map(({ kind }) => kind)).toEqual([
    "mirrors",
    "mirrors",
    "unusable",
  ]);
  expect([read(many(64)), read(many(65))].map(({ kind }) => kind)).toEqual(["mirrors", "unusable"]);
});

test.each([
  ["an empty name", { a: field("") }, {}],
  ["a name with a space", { a: field("My Region") }, {}],
  ["a name with a line break", { a: field("A\r\nB") }, {}],
  ["a name that is no text", { a: field(5) }, {}],
  ["the same name in another case", { a: field("Region"), b: field("rEGION") }, {}],
  ["a number", { a: field("N", "number") }, {}],
  ["a list of types", { a: field("N", ["string", "null"]) }, {}],
  ["an object", { a: field("N", "object") }, {}],
  ["a place under items", { a: { type: "array", items: field("N") } }, {}],
  ["a place under a union", { a: { anyOf: [field("N")] } }, {}],
  ["a place in a definition", {}, { $defs: { a: field("N") } }],
  ["the root itself", {}, field("N", "object")],
])("%s makes a tool unusable", (_what, properties, more) => {
  expect(read(properties, more).kind).toBe("unusable");
});

proves(
  "CLNT-163",
  "a header value is plain where that is safe, and decodes to what was given",
  () => {
    const decode = (text: string) => {
      const [, base64] = /^=\?base64\?(.*)\?=$/.exec(text) ?? [];
      return base64 === undefined ? text : Buffer.from(base64, "base64").toString();
    };

    expect(encodeHeaderValue("us-west 1")).toBe("us-west 1");
    expect(encodeHeaderValue("Zürich")).toBe("=?base64?WsO8cmljaA==?=");
    expect(encodeHeaderValue(" a")).toBe("=?base64?IGE=?=");
    expect(encodeHeaderValue("=?base64?YQ==?=")).toBe("=?base64?PT9iYXNlNjQ/WVE9PT89?=");
    expect(encodeHeaderValue("a\r\nb")).toMatch(/^=\?base64\?/);
    assert(
      property(oneof(string(), string({ unit: "binary" })), (value) => {
        const encoded = encodeHeaderValue(value);
        expect(encoded).toMatch(/^[\u0021-\u007e](?:[\t\u0020-\u007e]*[\u0021-\u007e])?$/);
        expect(decode(encoded)).toBe(value);
      }),
    );
  },
);

test("null, absent and structured arguments have no header; numbers keep their digits", () => {
  const mirrors = new Map([
    ["t", ["a", "b", "c", "d", "e", "f"].map((name) => ({ path: [name], header: name }))],
  ]);
  const args = {
    a: null,
    c: { x: 1 },
    d: 10n ** 20n,
    e: exactNumber("9007199254740993"),
    f: false,
  };

  expect(mirrorHeaders({ name: "t", arguments: args }, mirrors)).toEqual({
    "mcp-param-d": "100000000000000000000",
    "mcp-param-e": "9007199254740993",
    "mcp-param-f": "false",
  });
  expect(mirrorHeaders({ name: "other", arguments: args }, mirrors)).toEqual({});
});
