import { createMcpHandler, McpServer, type McpServerFactory } from "@modelcontextprotocol/server";
import type { JsonObject } from "@postern/protocol";
import { bindTool, registerTool } from "@postern/protocol/server";
import { proves } from "@postern/testing";
import { describe, expect, test } from "vitest";
import { dialects, initialize, openPipe, request, type Dialect } from "./pipe.ts";
import { answering, dropNote, serve } from "./tools.ts";

/** One request to the SDK's own HTTP entry. */
async function post(
  factory: McpServerFactory,
  dialect: Dialect,
  method: string,
  params: object,
): Promise<JsonObject> {
  const named = "name" in params ? { "mcp-name": String(params.name) } : {};
  const response = await createMcpHandler(factory).fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": dialect,
        ...(dialect === "2026-07-28" ? { "mcp-method": method, ...named } : {}),
      },
      body: JSON.stringify(request(dialect, 1, method, params)),
    }),
  );
  const body = await response.text();
  return JSON.parse(body.startsWith("{") ? body : (/^data: (.*)$/m.exec(body)?.[1] ?? ""));
}

describe.each(dialects)("under %s", (dialect) => {
  test("the same factory serves the SDK's HTTP entry", async () => {
    const { result } = await post(serve([answering("hi")]), dialect, "tools/call", {
      name: "read_note",
      arguments: { name: "a" },
    });

    expect(result).toMatchObject({ structuredContent: { text: "hi" } });
  });

  test("a bound tool serves from an MCP server of one's own", async () => {
    const factory = (): McpServer => {
      const server = new McpServer({ name: "mine", version: "1" });
      registerTool(server, answering("hi"));
      return server;
    };

    const good = await post(factory, dialect, "tools/call", {
      name: "read_note",
      arguments: { name: "a" },
    });
    const bad = await post(factory, dialect, "tools/call", { name: "read_note", arguments: {} });

    expect(good["result"]).toMatchObject({ structuredContent: { text: "hi" } });
    expect(bad["result"]).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "invalid_arguments" } },
    });
  });
});

proves("PROTO-08", "each connection has a server of its own, made for its caller", async () => {
  const made: string[] = [];
  const factory = serve([], {
    tools: ({ principal }) => {
      made.push(principal.subject);
      return principal.subject === "ann" ? [answering("x")] : [];
    },
  });
  const ann = openPipe(factory, { principal: { subject: "ann", scopes: [] } });
  const bob = openPipe(factory, { principal: { subject: "bob", scopes: [] } });

  for (const pipe of [ann, bob]) pipe.send(initialize, request("2025-11-25", 1, "tools/list"));

  expect((await ann.answer(1))["result"]).toMatchObject({ tools: [{ name: "read_note" }] });
  expect((await bob.answer(1))["result"]).toEqual({ tools: [] });
  expect(made).toEqual(["ann", "bob"]);
});

proves("PROTO-07", "who calls decides which effects are enabled", async () => {
  const binding = bindTool(dropNote, async ({ requestId }) => ({ requestId }));
  const factory = serve([binding], {
    enabledEffects: ({ principal }) =>
      new Set(principal.scopes.includes("drop") ? ["destroy"] : []),
  });
  const requestId = "0193aaaa-0000-7000-8000-000000000001";
  const may = openPipe(factory, { principal: { subject: "ann", scopes: ["drop"] } });
  const mayNot = openPipe(factory, { principal: { subject: "bob", scopes: [] } });

  const done = await may.call("2026-07-28", 1, "drop_note", { requestId });
  const refused = await mayNot.call("2026-07-28", 1, "drop_note", { requestId });

  expect(done["result"]).toMatchObject({ structuredContent: { requestId } });
  expect(refused["result"]).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "effect_not_enabled" } },
  });
});

test("instructions reach both kinds of client", async () => {
  const pipe = openPipe(serve([], { instructions: "Read first." }));

  pipe.send(initialize, request("2026-07-28", 1, "server/discover"));

  expect((await pipe.answer("hello"))["result"]).toMatchObject({ instructions: "Read first." });
  expect((await pipe.answer(1))["result"]).toMatchObject({ instructions: "Read first." });
});
