import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { resultWithText, ToolError, toolErrorFromResult, toolErrorToResult } from "../src/index.ts";

proves(
  "PROTO-04",
  "a refusal is isError with code, message and data, and the same JSON as text",
  () => {
    const error = new ToolError("pane_not_found", "No such pane.", { data: { pane: "%9" } });

    const result = toolErrorToResult(error);

    const body = {
      error: { code: "pane_not_found", message: "No such pane.", data: { pane: "%9" } },
    };
    expect(result).toEqual({
      isError: true,
      structuredContent: body,
      content: [{ type: "text", text: JSON.stringify(body) }],
    });
  },
);

proves("PROTO-04", "a success is its output and the same JSON as text", () => {
  expect(resultWithText({ n: 1 })).toEqual({
    structuredContent: { n: 1 },
    content: [{ type: "text", text: '{"n":1}' }],
  });
});

test("a refusal without data has an empty object, and does not send what only the caller knows", () => {
  const result = toolErrorToResult(new ToolError("gone", "Gone.", { delivery: "unknown" }));

  expect(result.structuredContent).toEqual({ error: { code: "gone", message: "Gone.", data: {} } });
});

test("an error read back from its result is the same, and was delivered", () => {
  const sent = new ToolError("pane_not_found", "No such pane.", { data: { pane: "%9" } });

  const { code, message, data, delivery } = toolErrorFromResult(toolErrorToResult(sent));

  expect({ code, message, data, delivery }).toEqual({
    code: "pane_not_found",
    message: "No such pane.",
    data: { pane: "%9" },
    delivery: "delivered",
  });
});

test.each([
  [{ content: [{ type: "text", text: "Sorry." }], isError: true }, "Sorry."],
  [
    { content: [{ type: "image" }], isError: true },
    "The tool reported an error without a message.",
  ],
  [
    { content: [], isError: true, structuredContent: { error: "x" } },
    "The tool reported an error without a message.",
  ],
  [
    {
      content: [{ type: "text", text: "a" }],
      isError: true,
      structuredContent: { error: { code: 1, message: "b" } },
    },
    "a",
  ],
])("a foreign error result becomes tool_error: %j", (result, message) => {
  const error = toolErrorFromResult(result);

  expect({ code: error.code, message: error.message }).toEqual({ code: "tool_error", message });
});
