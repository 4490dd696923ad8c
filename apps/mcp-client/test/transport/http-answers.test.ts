import { proves } from "@postern/testing";
import { describe, expect, test } from "vitest";
import { callTool, unwrap, withClient } from "../../src/index.ts";
import { httpServer, rpcError, verdict, type RawAnswer } from "../http-support.ts";

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

describe("what became of a call", () => {
  proves("CLNT-14", "each HTTP status has its class", async () => {
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

  proves(
    "CLNT-14",
    "a JSON-RPC error counts for itself, whatever the status, where it is ours",
    async () => {
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
    },
  );

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
