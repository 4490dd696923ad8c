import { proves } from "@postern/testing";
import { describe, expect } from "vitest";
import { z } from "zod";
import {
  annotationsOf,
  type AnyContract,
  ContractError,
  defineTool,
  type Effect,
} from "../src/index.ts";
import { requestIdSchema } from "../src/schema/index.ts";

const text = z.string().max(10).describe("Some text.");

const readTool = {
  name: "read_pane",
  title: "Read a pane",
  description: "Returns the visible text of one pane. Use it to look; it changes nothing.",
  input: z.strictObject({ pane: text }),
  output: z.strictObject({ lines: z.array(text).max(5).describe("Lines.") }),
  effect: "read",
  errors: { pane_not_found: "There is no such pane." },
} as const satisfies AnyContract;

const writeTool = {
  ...readTool,
  name: "write_pane",
  effect: "write",
  input: z.strictObject({ requestId: requestIdSchema, pane: text }),
} as const satisfies AnyContract;

function problemsOf(contract: AnyContract): readonly string[] {
  try {
    defineTool(contract);
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
}

describe("the names and words of a contract", () => {
  const cases: readonly [string, Partial<AnyContract>, string[]][] = [
    ["two letters", { name: "ab" }, ["name: must match ^[a-z][a-z0-9_]{2,63}$."]],
    ["three letters", { name: "abc" }, []],
    ["64 letters", { name: "a".repeat(64) }, []],
    ["65 letters", { name: "a".repeat(65) }, ["name: must match ^[a-z][a-z0-9_]{2,63}$."]],
    ["a capital", { name: "readPane" }, ["name: must match ^[a-z][a-z0-9_]{2,63}$."]],
    [
      "39 bytes of description",
      { description: "d".repeat(39) },
      ["description: must have 40 to 1024 bytes, has 39."],
    ],
    ["40 bytes of description", { description: "d".repeat(40) }, []],
    ["1024 bytes of description", { description: "é".repeat(512) }, []],
    [
      "1026 bytes of description",
      { description: "é".repeat(513) },
      ["description: must have 40 to 1024 bytes, has 1026."],
    ],
    ["an empty title", { title: " " }, ["title: must not be empty."]],
    [
      "a code in camel case",
      { errors: { notFound: "x" } },
      ['errors: "notFound" is not snake_case.'],
    ],
    ["a code that ends in _", { errors: { not_: "x" } }, ['errors: "not_" is not snake_case.']],
    [
      "a code without meaning",
      { errors: { not_found: "" } },
      ['errors: "not_found" has no meaning.'],
    ],
  ];

  for (const [name, change, problems] of cases) {
    proves("PROTO-01", `${name}: ${problems.length === 0 ? "accepted" : "refused"}`, () => {
      expect(problemsOf({ ...readTool, ...change })).toEqual(problems);
    });
  }
});

describe("requestId", () => {
  const optionalInput = z.strictObject({ requestId: requestIdSchema.optional() });
  const withId = z.strictObject({ requestId: requestIdSchema });
  const cases: readonly [string, Partial<AnyContract>, string[]][] = [
    ["a write tool with a required id", {}, []],
    [
      "a write tool without one",
      { input: readTool.input },
      ["input.requestId: must exist, because the effect is not read."],
    ],
    [
      "a destroying tool without one",
      { effect: "destroy", input: readTool.input },
      ["input.requestId: must exist, because the effect is not read."],
    ],
    [
      "an optional id that is not declared so",
      { input: optionalInput },
      ["input.requestId: must be required, as requestId says."],
    ],
    [
      "a required id declared optional",
      { requestId: "optional", output: withId },
      ["input.requestId: must be optional, as requestId says."],
    ],
    [
      "an optional id that is returned",
      { requestId: "optional", input: optionalInput, output: withId },
      [],
    ],
    [
      "an optional id that is not returned",
      { requestId: "optional", input: optionalInput },
      ["output.requestId: must exist, so that a minted id is returned."],
    ],
    [
      "a read tool that declares one",
      { effect: "read", requestId: "required" },
      ["requestId: a read tool takes none."],
    ],
  ];

  for (const [name, change, problems] of cases) {
    proves("PROTO-01", `${name}: ${problems.length === 0 ? "accepted" : "refused"}`, () => {
      expect(problemsOf({ ...writeTool, ...change })).toEqual(problems);
    });
  }
});

proves("PROTO-01", "the error names the tool and every broken rule at once", () => {
  const broken = { ...readTool, name: "No", title: "" };

  expect(() => defineTool(broken)).toThrow(
    'The contract of tool "No" is invalid: name: must match ^[a-z][a-z0-9_]{2,63}$. title: must not be empty.',
  );
});

proves("PROTO-02", "annotations derive from the effect", () => {
  const hints = (effect: Effect) => annotationsOf({ title: "T", effect });
  const common = { title: "T", idempotentHint: true, openWorldHint: false };

  expect(hints("read")).toEqual({ ...common, readOnlyHint: true, destructiveHint: false });
  expect(hints("write")).toEqual({ ...common, readOnlyHint: false, destructiveHint: false });
  expect(hints("destroy")).toEqual({ ...common, readOnlyHint: false, destructiveHint: true });
  expect(annotationsOf({ title: "T", effect: "read", openWorld: true }).openWorldHint).toBe(true);
});

proves("PROTO-02", "an unknown effect throws", () => {
  const contract = { ...readTool, effect: "delete" as Effect };

  expect(problemsOf(contract)).toContain("effect: must be read, write or destroy.");
  expect(() => annotationsOf({ title: "T", effect: "delete" as Effect })).toThrow(ContractError);
});
