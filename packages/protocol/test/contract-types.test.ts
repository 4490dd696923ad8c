import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { callTool, type ToolCaller } from "../src/client/index.ts";
import {
  type ArgumentsOf,
  type CommonErrorCode,
  defineTool,
  type ErrorCodeOf,
  type InputOf,
  type OutputOf,
  resultWithText,
} from "../src/index.ts";

const listPanes = defineTool({
  name: "list_panes",
  title: "List panes",
  description: "Lists the panes of a session. Use it to find a pane. It changes nothing.",
  input: z.strictObject({ limit: z.int().min(1).max(9).default(5).describe("How many.") }),
  output: z.strictObject({ panes: z.array(z.string().max(9)).max(9).describe("Pane ids.") }),
  effect: "read",
  errors: { session_not_found: "There is no such session." },
});
type ListPanes = typeof listPanes;

test("a contract gives the types of its arguments, output and codes", async () => {
  const caller: ToolCaller = { callTool: () => Promise.resolve(resultWithText({ panes: [] })) };

  const outcome = await callTool(caller, listPanes, {}, { timeoutMs: 50 });

  expect(outcome.ok && outcome.output.panes).toEqual([]);
  expectTypeOf<InputOf<ListPanes>>().toEqualTypeOf<{ limit: number }>();
  expectTypeOf<ArgumentsOf<ListPanes>>().toEqualTypeOf<{ limit?: number | undefined }>();
  expectTypeOf<OutputOf<ListPanes>>().toEqualTypeOf<{ panes: string[] }>();
  expectTypeOf<ErrorCodeOf<ListPanes>>().toEqualTypeOf<"session_not_found" | CommonErrorCode>();
  // @ts-expect-error limit is a number
  void callTool(caller, listPanes, { limit: "5" }, { timeoutMs: 50 });
  // @ts-expect-error every call has a limit
  void callTool(caller, listPanes, {}, {});
});
