import { proves } from "@postern/testing";
import { describe, expect, test } from "vitest";
import { callTool, connect, unwrap, withClient, type Outcome } from "../../src/index.ts";
import { httpServer, type RawAnswer } from "../http-support.ts";

/** What a failure comes to in short. */
const verdict = ({ error }: Outcome<unknown>) => error && [error.code, error.delivery];
const raw = async (answer: RawAnswer, config: object = {}) => {
  const server = await httpServer();
  const outcome = await callTool({ url: server.url, ...config }, "raw", answer);
  return { server, outcome };
};
/** The verdict on each raw answer, all of one server, each to a call of its own. */
const verdicts = async (answers: readonly RawAnswer[], config: object = {}) => {
  const server = await httpServer();
  return unwrap(
    await withClient({ url: server.url, ...config }, async (client) => {
      const all = [];
      for (const answer of answers) all.push(verdict(await client.callTool("raw", answer)));
      return all;
    }),
  );
};
const json = "application/json";
const sse = "text/event-stream";
const result = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}';
const rpcError = (code: number, id = "$ID") =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"no"}}`;

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
  expect(server.entries().some(({ hungUp }) => hungUp !== undefined)).toBe(true);
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

describe("auto over HTTP", () => {
  const legacy = ["POST server/discover", "POST initialize"];
  const probe = (answer: RawAnswer) => `--on=server/discover=${JSON.stringify(answer)}`;
  const opens = async (...flags: string[]) => {
    const server = await httpServer(...flags);
    const outcome = await callTool({ url: server.url, protocolVersion: "auto" }, "echo");
    return { lines: server.lines().slice(0, 2), revision: outcome.detail.revision, outcome };
  };

  proves("CLNT-52", "only what nobody knows the method by leads back to initialize", async () => {
    expect(await opens()).toMatchObject({ revision: "2026-07-28" });
    expect(await opens("--only=2025")).toMatchObject({ revision: "2025-11-25", lines: legacy });
    for (const status of [400, 404, 405]) {
      expect(await opens(probe({ status }))).toMatchObject({
        lines: legacy,
        revision: "2025-11-25",
      });
    }
    const inBody = { status: 400, type: json, parts: [rpcError(-32000, "null")] };
    expect(await opens(probe(inBody))).toMatchObject({ lines: legacy });

    const stops: [RawAnswer, string][] = [
      [{ status: 400, type: json, parts: [rpcError(-32021)] }, "handshake_failed"],
      [{ status: 401 }, "auth_required"],
      [{ status: 403 }, "forbidden"],
      [{ status: 500 }, "http_status"],
      [{ end: "reset" }, "unparsable_reply"],
      [{ type: sse }, "stream_ended"],
      [{ type: json, parts: [rpcError(-32000)] }, "handshake_failed"],
    ];
    for (const [answer, code] of stops) {
      const { lines, outcome } = await opens(probe(answer));
      expect([lines, verdict(outcome)]).toEqual([["POST server/discover"], [code, "not_sent"]]);
    }
  });
});

describe("what became of a call", () => {
  test("each HTTP status has its class", async () => {
    const rejected = [
      [400, "http_rejected"],
      [401, "auth_required"],
      [403, "forbidden"],
      [405, "http_rejected"],
      [406, "http_rejected"],
      [411, "http_rejected"],
      [413, "http_rejected"],
      [414, "http_rejected"],
      [415, "http_rejected"],
      [417, "http_rejected"],
      [421, "http_rejected"],
      [422, "http_rejected"],
      [426, "http_rejected"],
      [428, "http_rejected"],
      [429, "http_rejected"],
      [431, "http_rejected"],
      [404, "http_rejected"],
      [307, "redirect_refused"],
      [308, "redirect_refused"],
    ] as const;
    const unknown = [
      [201, "http_status"],
      [202, "http_status"],
      [204, "http_status"],
      [301, "redirect_refused"],
      [302, "redirect_refused"],
      [303, "redirect_refused"],
      [304, "http_status"],
      [402, "http_status"],
      [409, "http_status"],
      [500, "http_status"],
      [502, "http_status"],
      [503, "http_status"],
    ] as const;

    const answers = [...rejected, ...unknown].map(([status]) => ({ status }));
    expect(await verdicts(answers)).toEqual([
      ...rejected.map(([, code]) => [code, "rejected"]),
      ...unknown.map(([, code]) => [code, "unknown"]),
    ]);
  });

  test("a JSON-RPC error counts for itself, whatever the status, where it is ours", async () => {
    const error = (code: number, status: number, id?: string) => ({
      status,
      type: json,
      parts: [rpcError(code, id)],
    });

    expect(
      await verdicts([
        error(-32000, 200),
        error(-32000, 400),
        error(-32603, 500),
        error(-32602, 400),
        error(-32601, 404),
        error(-32020, 400),
        error(-32600, 400, "null"),
        error(-32000, 400, "null"),
        error(-32000, 500, "null"),
        error(-32000, 200, "null"),
        error(-32600, 200, "null"),
        error(-32000, 200, "77"),
        error(-32000, 401),
      ]),
    ).toEqual([
      ["server_error", "delivered"],
      ["server_error", "delivered"],
      ["server_error", "delivered"],
      ["invalid_params", "delivered"],
      ["method_not_found", "rejected"],
      ["header_mismatch", "rejected"],
      ["invalid_request", "rejected"],
      ["http_rejected", "rejected"],
      ["http_status", "unknown"],
      ["uncorrelated_error", "unknown"],
      ["invalid_request", "rejected"],
      ["protocol_violation", "unknown"],
      ["auth_required", "rejected"],
    ]);
  });

  test("an answer that cannot be read is unknown, and its head is kept out of sight", async () => {
    const { outcome } = await raw({ type: "text/html", parts: ["<h1>canary</h1>"] });
    expect(outcome.error?.message).toContain("Check the URL");
    expect(outcome.detail.sensitive.replyHead).toBe("<h1>canary</h1>");
    expect(outcome.detail.httpStatus).toBe(200);
    expect(JSON.stringify(outcome)).not.toContain("canary");

    expect(
      await verdicts([
        { type: "text/html", parts: ["<p>"] },
        {},
        { type: json },
        { type: json, parts: [result + result] },
        { type: json, parts: ["hex:7bff7d"] },
        { type: json, headers: { "content-encoding": "gzip" }, parts: [result] },
        { type: json, headers: { "content-encoding": "identity" }, parts: [result] },
        { type: json, parts: ['{"jsonrpc":"2.0","method":"notifications/message"}'] },
        { type: json, headers: { "content-length": "999" }, parts: [result], end: "reset" },
        { type: "Application/JSON; charset=utf-8", parts: [result] },
        { type: json, parts: ['{"jsonrpc":"2.0","id":$ID,"result":{}}'] },
      ]),
    ).toEqual([
      ["unparsable_reply", "unknown"],
      ["unparsable_reply", "unknown"],
      ["unparsable_reply", "unknown"],
      ["unparsable_reply", "unknown"],
      ["unparsable_reply", "unknown"],
      ["unparsable_reply", "unknown"],
      undefined,
      ["protocol_violation", "unknown"],
      ["connection_lost", "unknown"],
      undefined,
      ["malformed_result", "delivered"],
    ]);
  });

  proves("CLNT-68", "a web page or an unknown path says to check the URL", async () => {
    const page = await raw({ status: 502, type: "text/html; charset=x", parts: ["<p>"] });
    const unknown = await raw({ status: 404 });
    const nothing = await raw({ status: 400 });

    expect(page.outcome.error?.message).toContain("Check the URL");
    expect(unknown.outcome.error?.message).toContain("Check the URL");
    expect(nothing.outcome.error?.message).not.toContain("Check the URL");
  });

  test("a session that has ended is told as such, once, and no new one is opened", async () => {
    const server = await httpServer("--session=abc");

    const outcome = await withClient({ url: server.url }, async (client) => {
      const expired = await client.callTool("raw", { status: 404 });
      return [expired, await client.callTool("echo")];
    });

    expect(unwrap(outcome).map(verdict)).toEqual([
      ["session_expired", "rejected"],
      ["session_closed", "not_sent"],
    ]);
    expect(server.lines()).toEqual([
      "POST initialize",
      "POST notifications/initialized",
      "POST tools/call",
    ]);
  });
});

proves(
  "CLNT-65",
  "the final message ends the reading; an end before it is told at once",
  async () => {
    const event = `data: ${result}\n\n`;
    const noise = `: ${"x".repeat(100)}\n`;

    const server = await httpServer();
    const outcome = await withClient({ url: server.url, timeoutMs: 20_000 }, async (client) => [
      await client.callTool("raw", { type: sse, parts: [event], end: "stall" }),
      await client.callTool("raw", { type: sse, parts: [event, ...Array<string>(50).fill(noise)] }),
      await client.callTool("raw", { type: sse, parts: ["data: "] }),
      await client.callTool("raw", { type: sse, parts: [": a\n"], end: "reset" }),
      await client.callTool("raw", { type: sse }),
      await client.callTool("raw", { type: sse, parts: ["data: {\n\n"] }),
      await client.callTool("raw", { type: sse, parts: ["hex:646174613a20ff0a0a"] }),
      await client.callTool("raw", {
        type: sse,
        parts: [`data: ${result.replace("$ID", "77")}\n\n`],
      }),
    ]);

    const all = unwrap(outcome);
    expect(all.map(verdict)).toEqual([
      undefined,
      undefined,
      ["stream_ended", "unknown"],
      ["stream_ended", "unknown"],
      ["stream_ended", "unknown"],
      ["unparsable_reply", "unknown"],
      ["unparsable_reply", "unknown"],
      ["stream_ended", "unknown"],
    ]);
    expect(all.at(-1)?.detail.stray).toBe(1);
    // Fifty lines of comments follow the answer of the second; the reading had ended before.
    expect(all[1]?.detail.bytesReceived).toBeLessThan(event.length + 50 * noise.length);
    expect(server.lines().filter((line) => line === "POST tools/call")).toHaveLength(8);
  },
);

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
