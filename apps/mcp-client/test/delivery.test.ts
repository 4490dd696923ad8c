import { join } from "node:path";
import { temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool, connect, unwrap, withClient, type Outcome } from "../src/index.ts";
import { logged, server } from "./support.ts";

const verdict = ({ error, detail }: Outcome<unknown>) =>
  error && { code: error.code, delivery: error.delivery, phase: detail.phase };

test.each([
  [-32700, "invalid_request", "rejected"],
  [-32600, "invalid_request", "rejected"],
  [-32601, "method_not_found", "rejected"],
  [-32020, "header_mismatch", "rejected"],
  [-32021, "missing_capability", "rejected"],
  [-32022, "unsupported_revision", "rejected"],
  [-32602, "invalid_params", "delivered"],
  [-32603, "server_error", "delivered"],
  [-32000, "server_error", "delivered"],
  [7, "server_error", "delivered"],
])("error %i to a tool call is %s, %s", async (rpcCode, code, delivery) => {
  const outcome = await callTool(server(), "error", { code: rpcCode });

  expect(verdict(outcome)).toEqual({ code, delivery, phase: "call" });
  expect(outcome.detail.jsonRpcCode).toBe(rpcCode);
});

test("-32602 to another method is rejected", async () => {
  const outcome = await withClient(server("--only=2025"), (client) =>
    client.request("tools/call", { name: "no such tool" }),
  );
  const other = await withClient(server(), (client) => client.request("prompts/get"));

  expect(verdict(outcome)).toMatchObject({ code: "invalid_params", delivery: "delivered" });
  expect(verdict(other)).toMatchObject({ code: "method_not_found", delivery: "rejected" });
});

const result = '"result":{"content":[]}';
test.each([
  ["no result and no error", '{"jsonrpc":"2.0","id":$ID}', "unparsable_reply", "unknown"],
  [
    "result and error",
    `{"jsonrpc":"2.0","id":$ID,${result},"error":{"code":1}}`,
    "unparsable_reply",
    "unknown",
  ],
  ["another jsonrpc", `{"jsonrpc":"1.0","id":$ID,${result}}`, "unparsable_reply", "unknown"],
  [
    "an error without a code",
    '{"jsonrpc":"2.0","id":$ID,"error":{}}',
    "unparsable_reply",
    "unknown",
  ],
  [
    "an error without an id",
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}',
    "uncorrelated_error",
    "unknown",
  ],
  [
    "a result that is no object",
    '{"jsonrpc":"2.0","id":$ID,"result":5}',
    "malformed_result",
    "delivered",
  ],
  [
    "a result without content",
    '{"jsonrpc":"2.0","id":$ID,"result":{}}',
    "malformed_result",
    "delivered",
  ],
  [
    "content that is no list",
    '{"jsonrpc":"2.0","id":$ID,"result":{"content":{}}}',
    "malformed_result",
    "delivered",
  ],
  [
    "a block without a type",
    '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{}]}}',
    "malformed_result",
    "delivered",
  ],
])("an answer with %s", async (_title, line, code, delivery) => {
  const outcome = await callTool(server(), "raw", { text: `${line}\n` });

  expect(verdict(outcome)).toEqual({ code, delivery, phase: "call" });
});

test("an unknown resultType of 2026-07-28 is delivered and malformed", async () => {
  const line = '{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"later","content":[]}}\n';
  const config = { ...server(), protocolVersion: "2026-07-28" as const };

  const outcome = await callTool(config, "raw", { text: line });

  expect(verdict(outcome)).toMatchObject({ code: "malformed_result", delivery: "delivered" });
});

test("an answer under a foreign id only is a timeout, and stray", async () => {
  const text = '{"jsonrpc":"2.0","id":99,"result":{"content":[]}}\n';

  const outcome = await callTool({ ...server(), timeoutMs: 150 }, "raw", { text });

  expect(verdict(outcome)).toEqual({ code: "timeout", delivery: "unknown", phase: "call" });
  expect(outcome.detail.stray).toBe(1);
  expect(outcome.detail.limit).toEqual({ name: "timeoutMs", limit: 150, seen: 150 });
});

test("the first of two answers wins, the second is stray", async () => {
  const outcome = await withClient(server(), async (client) => {
    const first = await client.callTool("twice");
    return { first, next: await client.callTool("echo") };
  });

  const { first, next } = unwrap(outcome);
  expect(first.result).toMatchObject({ content: [{ text: "first" }] });
  expect(first.detail.stray + next.detail.stray).toBe(1);
});

test("a server that ends says how, whatever it had written before", async () => {
  const half = '{"jsonrpc":"2.0","id":2,"result":';
  const padding = "p".repeat(100_000);
  const whole = `{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":"${padding}"}}\n`;

  const died = await callTool(server(), "die", { code: 9, text: half });
  const answered = await callTool(server(), "crash", { text: whole });

  expect(verdict(died)).toEqual({ code: "server_exited", delivery: "unknown", phase: "call" });
  expect(died.error?.data).toEqual({ exitCode: 9, signal: null });
  expect(answered.result?.kind).toBe("complete");
});

test("aborting before the call is written is not_sent, after it unknown", async () => {
  const log = join(temporaryDirectory(), "log");
  const outcome = await withClient(server(`--log=${log}`), async (client) => {
    const early = await client.callTool("echo", {}, { signal: AbortSignal.abort() });
    const abort = new AbortController();
    const waiting = client.callTool("silent", {}, { signal: abort.signal });
    setImmediate(() => abort.abort());
    return { early, late: await waiting, next: await client.callTool("echo") };
  });

  const { early, late, next } = unwrap(outcome);
  expect(verdict(early)).toMatchObject({ code: "aborted", delivery: "not_sent" });
  expect(verdict(late)).toMatchObject({ code: "aborted", delivery: "unknown" });
  expect(next.error).toBeUndefined();
  const calls = logged(log).filter(({ method }) => method === "tools/call");
  expect(calls.map(({ id }) => id)).toEqual([2, 3]);
});

test("a timeout sends one cancellation, and the late answer is stray", async () => {
  const log = join(temporaryDirectory(), "log");
  const outcome = await withClient(server(`--log=${log}`), async (client) => {
    const late = await client.callTool("late", { ms: 150 }, { timeoutMs: 100 });
    return { late, next: await client.callTool("sleep", { ms: 150 }) };
  });

  const { late, next } = unwrap(outcome);
  expect(verdict(late)).toMatchObject({ code: "timeout", delivery: "unknown" });
  expect(next.detail.stray).toBe(1);
  expect(logged(log).filter(({ method }) => method === "notifications/cancelled")).toEqual([
    {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 2, reason: "timeout" },
    },
  ]);
});

test("closing loses what is under way; a request too large is never written", async () => {
  const client = unwrap(await connect({ ...server(), maxMessageBytes: 4096 }));

  const large = await client.callTool("echo", { text: "x".repeat(4096) });
  const waiting = client.callTool("silent");
  await new Promise(setImmediate);
  await client.close();

  expect(verdict(large)).toMatchObject({ code: "request_too_large", delivery: "not_sent" });
  expect(large.detail.bytesSent).toBe(0);
  expect(verdict(await waiting)).toMatchObject({ code: "client_closed", delivery: "unknown" });
});

test("calls over maxInFlight are refused, those under way go on", async () => {
  const outcome = await withClient({ ...server(), maxInFlight: 2 }, async (client) =>
    Promise.all([1, 2, 3].map((n) => client.callTool("sleep", { ms: 20 * n }))),
  );

  expect(unwrap(outcome).map(verdict)).toEqual([
    undefined,
    undefined,
    { code: "too_many_in_flight", delivery: "not_sent", phase: "call" },
  ]);
});

test("silence longer than idleTimeoutMs loses the call; progress keeps it alive", async () => {
  const outcome = await withClient({ ...server(), idleTimeoutMs: 1_000 }, async (client) => {
    const alive = client.callTool("sleep", { ms: 1_400 });
    setTimeout(() => void client.callTool("echo"), 700);
    return { alive: await alive, idle: await client.callTool("silent") };
  });

  const { alive, idle } = unwrap(outcome);
  expect(alive.error).toBeUndefined();
  expect(verdict(idle)).toMatchObject({ code: "idle_timeout", delivery: "unknown" });
});

test("arguments that JSON cannot hold are refused before anything is written", async () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;

  const outcome = await callTool(server(), "echo", loop);

  expect(verdict(outcome)).toEqual({
    code: "invalid_arguments",
    delivery: "not_sent",
    phase: "call",
  });
});
