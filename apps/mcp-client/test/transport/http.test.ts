import { eventually, proves } from "@postern/testing";
import { expect } from "vitest";
import { callTool, connect, unwrap, withClient, type Outcome } from "../../src/index.ts";
import { httpServer, verdict } from "../http-support.ts";

const json = "application/json";
const sse = "text/event-stream";

proves("CLNT-53", "a session is opened, named on every later request, and deleted", async () => {
  const server = await httpServer("--session=abc");

  const outcome = await withClient({ url: server.url }, async (client) => {
    await client.callTool("stream");
    return client.callTool("pinged");
  });

  expect(JSON.parse(textOf(outcome))).toEqual([{ jsonrpc: "2.0", id: "p", result: {} }]);
  expect(server.lines()).toEqual([
    "POST initialize",
    "POST notifications/initialized",
    "POST tools/call",
    "POST tools/call",
    "POST",
    "DELETE",
  ]);
  const [first, ...later] = server.requests();
  expect(first?.headers["mcp-session-id"]).toBeUndefined();
  expect(first?.headers["mcp-protocol-version"]).toBeUndefined();
  for (const { headers } of later) {
    expect(headers).toMatchObject({
      "mcp-session-id": "abc",
      "mcp-protocol-version": "2025-11-25",
    });
  }
  const refused = async (id: string) => {
    const answer = { type: json, headers: { "mcp-session-id": id }, parts: [opened] };
    const other = await httpServer(`--on=initialize=${JSON.stringify(answer)}`);
    return verdict(await connect({ url: other.url }));
  };
  expect(await refused("a".repeat(1_024))).toBeUndefined();
  expect(await refused("a".repeat(1_025))).toEqual(["protocol_violation", "not_sent"]);
  expect(await refused("a b")).toEqual(["protocol_violation", "not_sent"]);
  const untaken = await httpServer('--on=notifications/initialized={"status":500}');
  expect(verdict(await connect({ url: untaken.url }))).toEqual(["http_status", "not_sent"]);
});
const opened =
  '{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}';

proves("CLNT-55", "2026-07-28 keeps no session and posts nothing but requests", async () => {
  const answer = {
    type: sse,
    headers: { "mcp-session-id": "abc" },
    parts: ["id: 1\ndata:\n\n", 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n'],
    end: "stall" as const,
  };
  const server = await httpServer("--session=abc");

  const outcome = await withClient(
    { url: server.url, protocolVersion: "2026-07-28" },
    async (client) => {
      const lost = await client.callTool("raw", answer, { timeoutMs: 300 });
      const ended = await client.callTool("raw", { ...answer, end: "end" });
      const token = { lastEventId: "1", retryMs: 0 };
      return [
        lost,
        ended,
        await client.resumeCall(token),
        await client.callTool("silent", {}, { timeoutMs: 200 }),
      ];
    },
  );

  const [lost, ended, resumed, silent] = unwrap(outcome);
  expect([lost, ended, resumed, silent].map((each) => each && verdict(each))).toEqual([
    ["timeout", "unknown"],
    ["stream_ended", "unknown"],
    ["invalid_arguments", "unknown"],
    ["timeout", "unknown"],
  ]);
  expect(ended?.detail).not.toHaveProperty("resume");
  expect(new Set(server.lines())).toEqual(
    new Set(["POST server/discover", "POST tools/list", "POST tools/call"]),
  );
  expect(server.requests().some(({ headers }) => "mcp-session-id" in headers)).toBe(false);
  const hungUp = (): boolean => server.entries().some((entry) => entry.hungUp !== undefined);
  expect(await eventually(hungUp)).toBe(true);
});

proves("CLNT-54", "2026-07-28 says in headers what the body says", async () => {
  const server = await httpServer();

  await withClient({ url: server.url, protocolVersion: "2026-07-28" }, async (client) => {
    await client.callTool("echo");
    await client.request("resources/read", { uri: "file:///ü" });
    await client.request("prompts/get", { name: "p" });
  });

  const [discover, list, call, read, prompt] = server.requests();
  expect(discover?.message.method).toBe("server/discover");
  expect(list?.message.method).toBe("tools/list");
  const names = [discover, list, call, read, prompt].map((each) => [
    each?.headers["mcp-protocol-version"],
    each?.headers["mcp-method"],
    each?.headers["mcp-name"],
  ]);
  expect(names).toEqual([
    ["2026-07-28", "server/discover", undefined],
    ["2026-07-28", "tools/list", undefined],
    ["2026-07-28", "tools/call", "echo"],
    ["2026-07-28", "resources/read", "=?base64?ZmlsZTovLy/DvA==?="],
    ["2026-07-28", "prompts/get", "p"],
  ]);
  for (const { message } of server.requests()) {
    expect(message.params?.["_meta"]).toMatchObject({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "postern-mcp" },
      "io.modelcontextprotocol/clientCapabilities": {},
    });
  }
});

proves(
  "CLNT-18",
  "giving up over HTTP is one notice in 2025-11-25 and a hang-up in 2026-07-28",
  async () => {
    const server = await httpServer();
    const abort = new AbortController();

    await callTool({ url: server.url }, "silent", {}, { timeoutMs: 200 });
    const aborting = callTool({ url: server.url }, "silent", {}, { signal: abort.signal });
    await expect
      .poll(() => server.lines().filter((line) => line === "POST tools/call").length)
      .toBe(2);
    abort.abort();
    const aborted = await aborting;
    const modern = await callTool(
      { url: server.url, protocolVersion: "2026-07-28" },
      "silent",
      {},
      { timeoutMs: 200 },
    );

    expect(verdict(aborted)).toEqual(["aborted", "unknown"]);
    expect(verdict(modern)).toEqual(["timeout", "unknown"]);
    const notices = server
      .requests()
      .filter(({ message }) => message.method === "notifications/cancelled");
    expect(notices.map(({ message }) => message.params)).toEqual([
      { requestId: 2, reason: "timeout" },
      { requestId: 2, reason: "aborted" },
    ]);
    await expect.poll(() => server.entries().filter(({ hungUp }) => hungUp).length).toBe(3);
  },
);

proves("CLNT-58", "a lost stream is taken up by one GET, when the caller says so", async () => {
  const server = await httpServer("--session=abc");

  const outcome = await withClient({ url: server.url }, async (client) => {
    const lost = await client.callTool("resumable");
    const before = server.lines().length;
    const token = lost.detail.resume ?? { lastEventId: "", retryMs: 0 };
    const resumed = await client.resumeCall(token);
    return { lost, before, resumed, again: await client.resumeCall(token) };
  });

  const { lost, before, resumed, again } = unwrap(outcome);
  expect(verdict(lost)).toEqual(["stream_ended", "unknown"]);
  expect(lost.detail.resume).toEqual({ lastEventId: "of-2", retryMs: 20 });
  expect(textOf(resumed)).toBe("resumed");
  expect(verdict(again)).toEqual(["invalid_arguments", "unknown"]);
  expect(server.lines().slice(before)).toEqual(["GET", "DELETE"]);
  expect(server.requests()[before]?.headers).toMatchObject({
    "last-event-id": "of-2",
    "mcp-session-id": "abc",
    accept: "text/event-stream",
  });
  const refusing = await httpServer('--on=GET={"status":405}');
  const refused = await withClient({ url: refusing.url }, async (client) => {
    const { detail } = await client.callTool("resumable");
    return client.resumeCall(detail.resume ?? { lastEventId: "", retryMs: 0 });
  });
  expect(verdict(refused)).toEqual(["http_rejected", "unknown"]);
});

function textOf(outcome: Outcome<unknown>): string {
  const { content } = unwrap(outcome) as { content: { text: string }[] };
  return String(content[0]?.text);
}
