import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool, connect, unwrap, withClient, type ToolReply } from "../../src/index.ts";
import { logged, server } from "../support.ts";

const modern = (...flags: string[]) => ({
  ...server(...flags),
  protocolVersion: "2026-07-28" as const,
});
const auto = (...flags: string[]) => ({ ...server(...flags), protocolVersion: "auto" as const });
const logFile = () => join(temporaryDirectory(), "log");

proves("CLNT-50", "what belongs to one revision stands in its own module and nowhere else", () => {
  const source = join(import.meta.dirname, "../../src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );

  const wireWords =
    /"(?:initialize|server\/discover|notifications\/initialized|notifications\/cancelled|io\.modelcontextprotocol[^"]*)"/;
  const speaking = files.filter((name) => wireWords.test(readFileSync(join(source, name), "utf8")));
  const branching = files.filter((name) =>
    /[=!]==? "20\d\d-/.test(readFileSync(join(source, name), "utf8")),
  );

  expect(speaking.sort()).toEqual(["protocol/revision-2025.ts", "protocol/revision-2026.ts"]);
  expect(branching).toEqual([]);
});

test("2025-11-25 opens with initialize, declares nothing, and answers pings", async () => {
  const log = logFile();

  const { result } = await callTool(server(`--log=${log}`), "serve");

  const [initialize, initialized] = logged(log);
  expect(initialize).toEqual({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "postern-mcp", version: expect.any(String) },
    },
  });
  expect(initialized).toEqual({ jsonrpc: "2.0", method: "notifications/initialized" });
  expect(JSON.parse(textOf(result))).toEqual([
    { id: "p", jsonrpc: "2.0", result: {} },
    { id: "r", jsonrpc: "2.0", error: { code: -32601, message: expect.any(String) } },
  ]);
});

test("2026-07-28 discovers once and says who asks on every request", async () => {
  const log = logFile();

  const outcome = await withClient(modern(`--log=${log}`), async (client) => {
    await client.listTools();
    await client.request("tools/call", { name: "echo", _meta: { mine: 1 } });
    await client.callTool("silent", {}, { timeoutMs: 100 });
    return client.info;
  });

  expect(unwrap(outcome)).toMatchObject({
    revision: "2026-07-28",
    serverInfo: { name: "fixture" },
    instructions: "Be kind.",
  });
  const messages = logged(log);
  expect(messages.map(({ method }) => method)).toEqual([
    "server/discover",
    "tools/list",
    "tools/call",
    "tools/call",
    "notifications/cancelled",
  ]);
  for (const { params } of messages) {
    expect(params?.["_meta"]).toMatchObject({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "postern-mcp" },
      "io.modelcontextprotocol/clientCapabilities": {},
    });
  }
  expect(messages[2]?.params?.["_meta"]).toMatchObject({ mine: 1 });
});

proves(
  "CLNT-56",
  "unexpected requests are refused, floods end the call, progress only grows",
  async () => {
    const seen: number[] = [];
    const notices: string[] = [];

    const outcome = await withClient(server(), async (client) => {
      await client.callTool(
        "progress",
        {},
        {
          onProgress: ({ progress }) => seen.push(progress),
          onNotification: ({ method }) => notices.push(method),
        },
      );
      const notified = await client.callTool("flood", { count: 10_000 });
      const asked = await client.callTool("flood", { count: 64, text: "requests" });
      return { notified, asked };
    });
    const tooMany = await callTool(server(), "flood", { count: 10_001 });
    const tooManyAsked = await callTool(server(), "flood", { count: 65, text: "requests" });
    const dropped = await callTool(modern(), "serve");

    expect(seen).toEqual([1, 2, 3]);
    expect(notices).toEqual([]);
    const { notified, asked } = unwrap(outcome);
    expect([notified.error, asked.error]).toEqual([undefined, undefined]);
    for (const flooded of [tooMany, tooManyAsked]) {
      expect(flooded.error).toMatchObject({ code: "peer_flood", delivery: "unknown" });
    }
    // This revision forbids a client to write responses on stdio, so the requests are counted and dropped.
    expect(textOf(dropped.result)).toBe("unanswered");
    expect(dropped.detail.stray).toBe(2);
  },
);

test("input_required is handed over, and continued once with the state byte for byte", async () => {
  const log = logFile();
  const outcome = await withClient(modern(`--log=${log}`), async (client) => {
    const asked = unwrap(await client.callTool("ask", { text: "t" }));
    if (asked.kind !== "input_required") throw new Error("not asked");
    const responses = { name: { action: "accept", content: { name: "Ada" } } };
    const done = await client.continueCall(asked.pending, responses);
    const again = await client.continueCall(asked.pending, responses);
    return { asked, done, again };
  });

  const { asked, done, again } = unwrap(outcome);
  expect(Object.keys(asked.inputRequests)).toEqual(["name"]);
  expect(JSON.parse(textOf(done.result))).toMatchObject({ state: "st\u00e4te==" });
  expect(again.error).toMatchObject({ code: "already_continued", delivery: "not_sent" });
  const calls = logged(log).filter(({ method }) => method === "tools/call");
  expect(calls.map(({ id }) => id)).toEqual([2, 3]);
  expect(calls[1]?.params).toMatchObject({ name: "ask", arguments: { text: "t" } });
});

test("an older revision is refused unless it was accepted", async () => {
  const config = server("--answers=2025-06-18");

  const refused = await connect(config);
  const accepted = await connect({ ...config, acceptRevisions: ["2025-06-18"] });

  expect(refused.error).toMatchObject({ code: "revision_not_supported", delivery: "not_sent" });
  expect(refused.error?.message).toContain('"2025-06-18" to acceptRevisions');
  expect(refused.detail.phase).toBe("handshake");
  const client = unwrap(accepted);
  expect(client.info.revision).toBe("2025-06-18");
  expect((await client.callTool("echo")).detail.revision).toBe("2025-06-18");
  await client.close();
});

proves(
  "CLNT-59",
  "the probe runs in place, falls back on one process, and respawns only after an exit",
  async () => {
    const log = logFile();
    const methods = () => logged(log).map(({ method }) => method);
    const probeTimeoutMs = 200;

    const both = await callTool(auto(), "echo");
    expect(both.detail.revision).toBe("2026-07-28");

    const legacy = await callTool(auto("--only=2025", `--log=${log}`), "echo");
    expect(legacy.detail).toMatchObject({ revision: "2025-11-25", warnings: [], stray: 0 });
    expect(methods().slice(0, 2)).toEqual(["server/discover", "initialize"]);

    const silent = await callTool({ ...auto("--silent-probe"), probeTimeoutMs }, "echo");
    expect(silent.detail).toMatchObject({ revision: "2025-11-25", warnings: [] });

    const late = await callTool({ ...auto("--late-probe=300"), probeTimeoutMs }, "sleep", {
      ms: 300,
    });
    expect(late.error).toBeUndefined();
    expect(late.detail).toMatchObject({ revision: "2025-11-25", stray: 0 });

    const restarts = logFile();
    const exited = await callTool(auto("--exit-on-probe", `--log=${restarts}`), "echo");
    expect(exited.detail.revision).toBe("2025-11-25");
    expect(exited.detail.warnings.map(({ code }) => code)).toEqual(["probe_respawn"]);
    const ids = logged(restarts).flatMap(({ id }) => id ?? []);
    expect(ids).toEqual([1, 2, 3]);

    for (const flag of ["--only=2025", "--exit-on-probe"]) {
      const pinned = await callTool(modern(flag), "echo");
      expect(pinned.error?.delivery).toBe("not_sent");
      expect(pinned.detail.phase).toBe("handshake");
    }
  },
);

test("a handshake that stays silent ends at its own deadline", async () => {
  const config = { command: process.execPath, args: ["-e", "setInterval(() => {}, 99)"] };

  const { error, detail } = await callTool(
    { ...config, handshakeTimeoutMs: 500, closeGraceMs: 0 },
    "echo",
  );

  expect(error).toMatchObject({ code: "timeout", delivery: "not_sent" });
  expect(detail.phase).toBe("handshake");
});

test("batches of an accepted 2025-03-26 server are read message by message", async () => {
  const config = { ...server("--answers=2025-03-26"), acceptRevisions: ["2025-03-26" as const] };
  const note = '{"jsonrpc":"2.0","method":"notifications/message"}';
  const text = `[${note},{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}]\n`;
  const notices: string[] = [];

  const { error } = await callTool(
    config,
    "raw",
    { text },
    { onNotification: ({ method }) => notices.push(method) },
  );

  expect(error).toBeUndefined();
  expect(notices).toEqual(["notifications/message"]);
});

function textOf(reply: ToolReply | undefined): string {
  const [block] = reply?.kind === "complete" ? reply.content : [];
  return String(block?.["text"]);
}
