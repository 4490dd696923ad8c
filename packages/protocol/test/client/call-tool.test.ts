import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { callTool, type ToolCaller } from "../../src/client/index.ts";
import {
  defineTool,
  resultWithText,
  ToolError,
  toolErrorToResult,
  type ToolResult,
} from "../../src/index.ts";

const countLines = defineTool({
  name: "count_lines",
  title: "Count lines",
  description: "Counts the lines of a pane. Use it to see how long a pane is. Changes nothing.",
  input: z.strictObject({
    pane: z.string().max(10).describe("Pane id."),
    blank: z.boolean().default(true).describe("Whether blank lines count."),
  }),
  output: z.strictObject({ lines: z.int().min(0).max(100).describe("Number of lines.") }),
  effect: "read",
  errors: { pane_not_found: "There is no such pane." },
});

function answering(result: ToolResult): ToolCaller & { readonly calls: unknown[] } {
  const calls: unknown[] = [];
  return {
    calls,
    callTool: (...call) => {
      calls.push(call);
      return Promise.resolve(result);
    },
  };
}

proves("PROTO-12", "the tool is called once, by name, and its output is parsed", async () => {
  const caller = answering(resultWithText({ lines: 7 }));
  const { signal } = new AbortController();

  const outcome = await callTool(caller, countLines, { pane: "%1" }, { timeoutMs: 50, signal });

  expect(outcome).toEqual({ ok: true, output: { lines: 7 }, warnings: [] });
  expect(caller.calls).toEqual([["count_lines", { pane: "%1" }, { timeoutMs: 50, signal }]]);
});

proves(
  "PROTO-12",
  "an output that breaks the contract comes back unchanged, with warnings",
  async () => {
    const surprising = { lines: 101, more: true };

    const outcome = await callTool(
      answering(resultWithText(surprising)),
      countLines,
      { pane: "%1" },
      { timeoutMs: 50 },
    );

    expect(outcome).toEqual({
      ok: true,
      output: surprising,
      warnings: ["/lines: Too big: expected number to be <=100", 'Unrecognized key: "more"'],
    });
  },
);

proves("PROTO-12", "a result without structured content is a warning, not a failure", async () => {
  const outcome = await callTool(
    answering({ content: [{ type: "text", text: "7" }] }),
    countLines,
    { pane: "%1" },
    { timeoutMs: 50 },
  );

  expect(outcome).toMatchObject({
    ok: true,
    output: {},
    warnings: [expect.stringContaining("/lines: "), "The result has no structured content."],
  });
});

proves(
  "PROTO-12",
  "an error result keeps the peer's code, and the output schema is not asked",
  async () => {
    const refusal = new ToolError("code_of_the_peer", "Own words.", { data: { pane: "%1" } });

    const outcome = await callTool(
      answering(toolErrorToResult(refusal)),
      countLines,
      { pane: "%1" },
      { timeoutMs: 50 },
    );

    expect(outcome).toMatchObject({
      ok: false,
      error: {
        code: "code_of_the_peer",
        message: "Own words.",
        data: { pane: "%1" },
        delivery: "delivered",
      },
    });
  },
);

test.each([
  [
    Object.assign(new Error("No route."), { code: "connect_failed", delivery: "not_sent" }),
    { code: "connect_failed", delivery: "not_sent", message: "No route." },
  ],
  [new Error("Broke."), { code: "call_failed", delivery: "unknown", message: "Broke." }],
  [
    Object.assign(new Error("x"), { delivery: "maybe" }),
    { code: "call_failed", delivery: "unknown" },
  ],
  [undefined, { code: "call_failed", delivery: "unknown" }],
  [new ToolError("as_is", "As is."), { code: "as_is", message: "As is." }],
])(
  "a call that brought no result fails with what the caller knows of its delivery",
  async (thrown, error) => {
    const caller: ToolCaller = { callTool: () => Promise.reject(thrown) };

    const outcome = await callTool(caller, countLines, { pane: "%1" }, { timeoutMs: 50 });

    expect(outcome).toMatchObject({ ok: false, error });
  },
);
