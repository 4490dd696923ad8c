import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool, unwrap, withClient } from "../../src/index.ts";
import { httpServer, verdict } from "../http-support.ts";
import { cliJson, server as stdioServer } from "../support.ts";

const tool = (name: string, header: unknown) => ({
  name,
  inputSchema: {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": header },
      count: { type: "integer", "x-mcp-header": "Count" },
    },
  },
});

function toolFile(): string {
  const file = join(temporaryDirectory(), "tools.json");
  writeFileSync(file, JSON.stringify([tool("good", "Region"), tool("bad", "no name")]));
  return file;
}

proves(
  ["CLNT-70", "CLNT-30"],
  "annotated arguments are repeated in headers; a bad tool is excluded",
  async () => {
    const server = await httpServer(`--tools=${toolFile()}`);
    const modern = { url: server.url, protocolVersion: "2026-07-28" as const };

    const outcome = await withClient(modern, async (client) => {
      const good = await client.callTool("good", { region: "Zürich", count: 7 });
      const byHand = await client.request("tools/call", {
        name: "good",
        arguments: { region: "eu", count: null },
      });
      const bad = await client.callTool("bad", {});
      return { good, byHand, bad, list: await client.listTools() };
    });

    const { good, byHand, bad, list } = unwrap(outcome);
    expect([verdict(good), verdict(byHand), verdict(bad)]).toEqual([
      undefined,
      undefined,
      ["tool_excluded", "not_sent"],
    ]);
    expect(list.result?.tools.map(({ name }) => name)).toEqual(["good"]);
    expect(list.result?.excluded).toEqual([
      { tool: "bad", reason: expect.stringContaining("no header name") },
    ]);
    const sent = server.requests().filter(({ message }) => message.method === "tools/call");
    expect(
      sent.map(({ headers }) => [headers["mcp-param-region"], headers["mcp-param-count"]]),
    ).toEqual([
      ["=?base64?WsO8cmljaA==?=", "7"],
      ["eu", undefined],
    ]);
    expect(server.lines()).toEqual([
      "POST server/discover",
      "POST tools/list",
      "POST tools/call",
      "POST tools/call",
      "POST tools/list",
    ]);

    const listed = await cliJson([
      "call",
      server.url,
      "good",
      "count=9007199254740993",
      "--protocol=auto",
    ]);
    const unlisted = await cliJson(["call", server.url, "bad", "--no-schema", "--protocol=auto"]);
    expect([listed.exitCode, unlisted.exitCode]).toEqual([0, 0]);
    expect(server.lines().slice(5)).toEqual([
      "POST server/discover",
      "POST tools/list",
      "POST tools/call",
      "POST server/discover",
      "POST tools/call",
    ]);
    expect(server.requests()[7]?.headers["mcp-param-count"]).toBe("9007199254740993");
  },
);

test("annotations bind neither stdio nor the older revision, and a mismatch advises nothing by itself", async () => {
  const file = toolFile();
  const older = await httpServer(`--tools=${file}`);
  const mismatch = {
    status: 400,
    type: "application/json",
    parts: ['{"jsonrpc":"2.0","id":$ID,"error":{"code":-32020,"message":"Header mismatch"}}'],
  };
  const server = await httpServer(`--on=tools/call=${JSON.stringify(mismatch)}`);

  const overPipe = await callTool(
    { ...stdioServer(`--tools=${file}`), protocolVersion: "2026-07-28" },
    "bad",
  );
  const overOlder = await callTool({ url: older.url }, "bad", { region: "eu" });
  const refused = await callTool({ url: server.url, protocolVersion: "2026-07-28" }, "echo");

  expect(overPipe.error?.code).not.toBe("tool_excluded");
  expect(verdict(overOlder)).toBeUndefined();
  expect(older.requests().at(-1)?.headers["mcp-param-region"]).toBeUndefined();
  expect(verdict(refused)).toEqual(["header_mismatch", "rejected"]);
  expect(refused.error?.message).toContain("list the tools again");
  expect(server.lines().filter((line) => line === "POST tools/list")).toHaveLength(1);
});

proves(
  "CLNT-09",
  "request sends any method but those of the connection itself, under the same rules",
  async () => {
    const server = await httpServer(`--tools=${toolFile()}`);
    const modern = { url: server.url, protocolVersion: "2026-07-28" as const };
    const reserved = [
      "initialize",
      "server/discover",
      "notifications/cancelled",
      "notifications/x",
    ];

    const outcome = await withClient(modern, async (client) => {
      const refused = [];
      for (const method of reserved) refused.push(verdict(await client.request(method, {})));
      const bad = await client.request("tools/call", { name: "bad" });
      await client.request("tools/call", { name: "good", arguments: { region: "eu" } });
      return { refused, bad: verdict(bad), other: verdict(await client.request("tools/list")) };
    });

    expect(unwrap(outcome)).toEqual({
      refused: reserved.map(() => ["method_not_allowed", "not_sent"]),
      bad: ["tool_excluded", "not_sent"],
      other: undefined,
    });
    const [call] = server.requests().filter(({ message }) => message.method === "tools/call");
    expect(call?.headers).toMatchObject({ "mcp-name": "good", "mcp-param-region": "eu" });
    expect(call?.message.params?.["_meta"]).toMatchObject({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    });
  },
);
