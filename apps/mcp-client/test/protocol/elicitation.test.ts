import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import {
  callTool,
  elicitationDefaults,
  withClient,
  type ElicitationHandler,
  type ElicitationQuestion,
  type ToolReply,
} from "../../src/index.ts";
import { logged, server } from "../support.ts";

const elicit = (elicitation: ElicitationHandler, text?: string) =>
  callTool(server(), "elicit", { text }, { elicitation });
const answerIn = (reply: ToolReply | undefined) =>
  JSON.parse(String(reply?.kind === "complete" && reply.content[0]?.["text"]));

proves(
  "CLNT-57",
  "what a server asks is returned and continued once by the caller, or answered by the caller's own handler",
  async () => {
    const log = join(temporaryDirectory(), "log");
    const questions: ElicitationQuestion[] = [];
    const elicitation: ElicitationHandler = async (question) => {
      questions.push(question);
      return { action: "accept", content: elicitationDefaults(question.requestedSchema) };
    };

    const answered = await callTool(server(`--log=${log}`), "elicit", {}, { elicitation });
    const config = { ...server(`--log=${log}`), protocolVersion: "2026-07-28" as const };
    const outcome = await withClient(
      config,
      async (client) => {
        const asked = await client.callTool("ask", { text: "t" });
        if (asked.result?.kind !== "input_required") throw new Error("not asked");
        const responses = { name: { action: "accept", content: { name: "Ada" } } };
        const { pending } = asked.result;
        const both = [client.continueCall(pending, responses), client.continueCall(pending, {})];
        return { asked, continued: await Promise.all(both) };
      },
      { elicitation },
    );

    expect(answerIn(answered.result)).toEqual({
      jsonrpc: "2.0",
      result: { action: "accept", content: { name: "Ada" } },
    });
    expect(questions).toEqual([{ message: "Who?", requestedSchema: expect.any(Object) }]);
    const { asked, continued } = outcome.result ?? {};
    expect(asked?.result).toMatchObject({
      inputRequests: { name: { method: expect.any(String) } },
    });
    expect(continued?.map(({ error }) => error?.code)).toEqual([undefined, "already_continued"]);
    expect(answerIn(continued?.[0]?.result)).toMatchObject({ state: "st\u00e4te==" });
    const [initialize] = logged(log);
    expect(initialize?.params).toMatchObject({ capabilities: { elicitation: { form: {} } } });
    const calls = logged(log).filter(({ method }) => method === "tools/call");
    expect(calls.map(({ id }) => id)).toEqual([2, 2, 3]);
    expect(calls[2]?.params?.["_meta"]).toMatchObject({
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
    });
  },
);

test("another mode, and a handler that throws, are answered with errors", async () => {
  const url = await elicit(() => ({ action: "decline" }), "url");
  const declined = await elicit(() => ({ action: "decline" }));
  const thrown = await elicit(() => {
    throw new Error("mine");
  });
  const without = await callTool(server(), "elicit");

  expect(answerIn(url.result)).toMatchObject({ error: { code: -32602 } });
  expect(answerIn(declined.result)).toMatchObject({ result: { action: "decline" } });
  expect(answerIn(thrown.result)).toMatchObject({ error: { code: -32603 } });
  expect(JSON.stringify(thrown.result)).not.toContain("mine");
  expect(thrown.detail.warnings).toEqual([
    { code: "elicitation_failed", message: expect.stringContaining("Error: mine") },
  ]);
  expect(answerIn(without.result)).toMatchObject({ error: { code: -32601 } });
});

test("defaults are taken as they are written, and nothing is made up", () => {
  const properties = {
    name: { type: "string", default: "" },
    age: { type: "integer", default: 0 },
    on: { type: "boolean", default: false },
    many: { type: "array", default: ["a"] },
    none: { type: "string" },
    odd: 5,
  };

  expect(elicitationDefaults({ type: "object", properties })).toEqual({
    name: "",
    age: 0,
    on: false,
    many: ["a"],
  });
  expect([elicitationDefaults({}), elicitationDefaults({ properties: [] })]).toEqual([{}, {}]);
});
