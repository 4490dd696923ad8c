import { proves } from "@postern/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ContractError, defineTool } from "../src/index.ts";

const text = z.string().max(10).describe("Some text.");

function problemsOf(schemas: { readonly input?: z.ZodObject; readonly output?: z.ZodObject }) {
  try {
    defineTool({
      name: "read_pane",
      title: "Read a pane",
      description: "Returns the visible text of one pane. Use it to look; it changes nothing.",
      input: schemas.input ?? z.strictObject({}),
      output: schemas.output ?? z.strictObject({}),
      effect: "read",
      errors: {},
    });
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
}

describe("what a schema leaves open", () => {
  const open = z.string().describe("Uncapped.");
  const cases: readonly [string, z.ZodType, string[]][] = [
    ["an undescribed field", z.boolean(), ["input.field: needs a description."]],
    ["a string", open, ["input.field: string needs a maximum."]],
    [
      "a string with a pattern only",
      open.regex(/^a{1,3}$/),
      ["input.field: string needs a maximum."],
    ],
    ["a capped string", open.max(3), []],
    ["a string of one length", open.length(3), []],
    ["a UUID", z.uuid().describe("Fixed by its format."), []],
    [
      "an ISO date and time",
      z.iso.datetime().describe("d"),
      ["input.field: string needs a maximum."],
    ],
    ["an array", z.array(text).describe("d"), ["input.field: array needs a maximum."]],
    [
      "a capped array of open strings",
      z.array(open).max(2).describe("d"),
      ["input.field[]: string needs a maximum."],
    ],
    [
      "a number",
      z.number().describe("d"),
      ["input.field: number needs an upper bound.", "input.field: number needs a lower bound."],
    ],
    ["an integer", z.int().min(0).describe("d"), ["input.field: number needs an upper bound."]],
    ["a bounded integer", z.int().min(0).max(9).describe("d"), []],
    ["a bound behind a default", z.int().min(0).max(9).default(1).describe("d"), []],
    ["a description inside an optional", text.optional(), []],
    ["an open string inside a nullable", open.nullable(), ["input.field: string needs a maximum."]],
    ["an enum or a literal", z.union([z.enum(["a"]), z.literal(1)]).describe("d"), []],
    [
      "an open branch of a union",
      z.union([text, z.number().min(0)]).describe("d"),
      ["input.field: number needs an upper bound."],
    ],
    [
      "an object that lets keys pass",
      z.object({ a: text }).describe("d"),
      ["input.field: must be a z.strictObject."],
    ],
    [
      "a loose object",
      z.looseObject({ a: text }).describe("d"),
      ["input.field: must be a z.strictObject."],
    ],
    [
      "an undescribed nested field",
      z.strictObject({ a: z.boolean() }).describe("d"),
      ["input.field.a: needs a description."],
    ],
    [
      "a record of open strings",
      z.record(text, open).describe("d"),
      ["input.field.<value>: string needs a maximum."],
    ],
    [
      "a record with open keys",
      z.record(z.string(), text).describe("d"),
      ["input.field.<key>: string needs a maximum."],
    ],
    ["a tuple", z.tuple([text, open]).describe("d"), ["input.field[1]: string needs a maximum."]],
    [
      "a tuple with a rest",
      z.tuple([text], text).describe("d"),
      ["input.field: tuple must not have a rest."],
    ],
    ["a coercion", z.coerce.boolean().describe("d"), ["input.field: must not coerce."]],
    [
      "a transformation",
      text.transform((value) => value.trim()),
      ["input.field: needs a description.", "input.field: type pipe is not allowed."],
    ],
    ["a fallback", text.catch("x"), ["input.field: type catch is not allowed."]],
    ["anything at all", z.unknown().describe("d"), ["input.field: must have a type."]],
    ["a date", z.date().describe("d"), ["input.field: type date is not allowed."]],
  ];

  for (const [name, field, problems] of cases) {
    proves("PROTO-01", `${name}: ${problems.length === 0 ? "accepted" : "refused"}`, () => {
      expect(problemsOf({ input: z.strictObject({ field }) })).toEqual(problems);
    });
  }

  test("a schema that holds itself is walked once", () => {
    const tree = z.strictObject({
      name: z.string().describe("Open."),
      get children() {
        return z.array(tree).max(9).describe("Below.");
      },
    });

    expect(problemsOf({ input: tree })).toEqual(["input.name: string needs a maximum."]);
  });

  proves(
    "PROTO-01",
    "outputs are held to the same rules, but may carry JSON they do not know",
    () => {
      const output = z.strictObject({ any: z.unknown().describe("d"), open: z.string() });

      expect(problemsOf({ output })).toEqual([
        "output.open: needs a description.",
        "output.open: string needs a maximum.",
      ]);
    },
  );

  test("a root that is no strict object is refused on both sides", () => {
    const loose = z.object({});

    expect(problemsOf({ input: loose, output: loose })).toEqual([
      "input: must be a z.strictObject.",
      "output: must be a z.strictObject.",
    ]);
  });
});
