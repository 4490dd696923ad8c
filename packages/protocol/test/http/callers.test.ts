import { McpServer, type McpServerFactory } from "@modelcontextprotocol/server";
import { bindTool } from "@postern/protocol/server";
import { eventually, proves } from "@postern/testing";
import { expect, test } from "vitest";
import { dialects } from "../server/pipe.ts";
import { readNote } from "../server/tools.ts";
import { callOf, headersOf, messageOf, mounted, open, request } from "./rig.ts";

for (const dialect of dialects) {
  proves("PROTO-08", `a call told to stop may still say how it ended at ${dialect}`, async () => {
    const tool = bindTool(readNote, async (_args, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { text: "stopped in time" };
    });
    const { call } = mounted([tool], { callDeadlineMs: 1 });

    const answer = await call(dialect, 1, "a");

    expect(answer).toMatchObject({ result: { structuredContent: { text: "stopped in time" } } });
  });
}

test("a question to the client is answered by a request of its own, from the one who was asked", async () => {
  const asked: unknown[] = [];
  const { app, post } = mounted([], { factory: asking(asked) });
  const call = request("2025-11-25", 7, "tools/call", { name: "ask", arguments: {} });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { outgoing, answered } = await open({ app }, headersOf("2025-11-25", "tools/call"));
  outgoing.end(JSON.stringify(call));
  let text = "";
  (await answered).on("data", (chunk) => (text += String(chunk)));
  await eventually(() => text.includes("roots/list"), { what: "the question" });
  const { id } = messageOf(text);
  const reply = (uri: string): object => ({ jsonrpc: "2.0", id, result: { roots: [{ uri }] } });

  await post(reply("file:///thief"), { authorization: "Bearer bob" });
  await post({ ...reply("file:///guess"), id: 0 });
  await post(reply("file:///right"));
  await eventually(() => text.includes('"id":7'), { what: "the answer" });
  await post(reply("file:///late"));

  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(asked).toEqual([{ roots: [{ uri: "file:///right" }] }]);
});

test("fifty principals at once each get their own answers only", async () => {
  const tool = bindTool(readNote, async ({ name }, { principal }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return { text: `${principal.subject} ${name}` };
  });
  const { post } = mounted([tool], { maxInFlight: 1_024 });
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const names = Array.from(
    { length: 50 },
    (_, n) => `p${letters[n % 26] ?? ""}${letters[n % 25] ?? ""}`,
  );

  const answers = await Promise.all(
    names.flatMap((name) =>
      dialects.map(async (dialect) => {
        const { body, headers } = callOf(dialect, 1, name);
        const { message } = await post(body, { ...headers, authorization: `Bearer ${name}` });
        return (message["result"] as { structuredContent: { text: string } }).structuredContent
          .text;
      }),
    ),
  );

  expect(new Set(names).size).toBe(50);
  expect(answers).toEqual(names.flatMap((name) => dialects.map(() => `${name} ${name}`)));
});

/** A server with one tool that asks its client for roots and notes what comes back. */
function asking(answers: unknown[]): McpServerFactory {
  return () => {
    const server = new McpServer({ name: "asks", version: "1" });
    server.registerTool("ask", { description: "Asks for roots" }, async ({ mcpReq }) => {
      answers.push(await mcpReq.send({ method: "roots/list" }));
      return { content: [] };
    });
    return server;
  };
}
