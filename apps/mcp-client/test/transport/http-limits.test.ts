import { setTimeout as delay } from "node:timers/promises";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool, unwrap, withClient } from "../../src/index.ts";
import { httpServer, verdict, type RawAnswer } from "../http-support.ts";

const json = "application/json";
const sse = "text/event-stream";

/** A JSON answer of exactly so many bytes; ids have one digit here. */
const answerOf = (bytes: number): string[] => {
  const [head, tail] = ['{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"pad":"', '"}}'];
  return [head, `repeat:${String(bytes - head.length + 2 - tail.length)}:x`, tail];
};
/** The same as an event whose data has so many bytes. */
const eventOf = (bytes: number): string[] => ["data: ", ...answerOf(bytes), "\n\n"];

proves("CLNT-66", "bodies, events, streams, error bodies and headers have their caps", async () => {
  const server = await httpServer();
  const config = { url: server.url, maxMessageBytes: 4_096, maxStreamBytes: 65_536 };
  const streamOf = (bytes: number): string[] => {
    const comments = bytes - "data: ".length - 1_000 - 2;
    return [
      `repeat:${String(Math.floor(comments / 2))}::\n`,
      "\n".repeat(comments % 2),
      ...eventOf(1_000),
    ];
  };
  const padded = (bytes: number): RawAnswer => ({
    type: json,
    headers: { "x-pad": `repeat:${String(bytes)}:h` },
    parts: answerOf(100),
  });

  const outcome = await withClient(config, async (client) => {
    const all = [];
    for (const answer of [
      { type: json, parts: answerOf(4_095) },
      { type: json, parts: answerOf(4_096) },
      { type: json, parts: answerOf(4_097) },
      { type: sse, parts: eventOf(4_090) },
      { type: sse, parts: eventOf(4_091) },
      { type: sse, parts: streamOf(65_536) },
      { type: sse, parts: streamOf(65_537) },
      { status: 400, type: json, parts: ["repeat:200000:x"], end: "stall" as const },
      padded(15_000),
      padded(17_000),
    ]) {
      all.push(await client.callTool("raw", answer));
    }
    return all;
  });

  const all = unwrap(outcome).map((each) => [each.error?.code, each.detail.limit?.name]);
  expect(all).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    ["message_too_large", "maxMessageBytes"],
    [undefined, undefined],
    ["message_too_large", "maxMessageBytes"],
    [undefined, undefined],
    ["stream_too_large", "maxStreamBytes"],
    ["http_rejected", undefined],
    [undefined, undefined],
    ["message_too_large", "headerBytes"],
  ]);
  expect(server.requests()[1]?.headers["accept-encoding"]).toBe("identity");
});

test("an idle limit is not renewed by comments", async () => {
  const server = await httpServer();
  const comments = { type: sse, parts: Array<string>(200).fill(": still here\n\n"), gapMs: 10 };

  const { error } = await callTool({ url: server.url, idleTimeoutMs: 1_000 }, "raw", comments);

  expect([error?.code, error?.delivery]).toEqual(["idle_timeout", "unknown"]);
});

proves(
  "CLNT-63",
  "no redirect is followed, no cookie kept, and only an origin is named",
  async () => {
    const other = await httpServer();
    const server = await httpServer();
    const headers = { location: `${other.url}/secret-path?token=canary`, "set-cookie": "a=b" };

    const outcome = await withClient(
      { url: server.url, headers: { "x-key": "k" } },
      async (client) => [
        await client.callTool("raw", { status: 307, headers }),
        await client.callTool("raw", { status: 302, headers }),
        await client.callTool("echo"),
      ],
    );

    const [kept, changed] = unwrap(outcome);
    expect([kept, changed].map((each) => each && verdict(each))).toEqual([
      ["redirect_refused", "rejected"],
      ["redirect_refused", "unknown"],
    ]);
    expect(kept?.error?.data).toEqual({ status: 307, origin: new URL(other.url).origin });
    expect(JSON.stringify([kept, kept?.error?.message])).not.toMatch(/canary|secret-path/);
    expect(other.connections()).toBe(0);
    expect(server.requests().some(({ headers: sent }) => "cookie" in sent)).toBe(false);
  },
);

proves(
  "CLNT-67",
  "a connection idle for too long is not used again, and nothing is sent twice",
  async () => {
    const server = await httpServer();
    const announcing = await httpServer();
    const keep = (seconds: number): RawAnswer => ({
      type: json,
      headers: { "keep-alive": `timeout=${String(seconds)}` },
      parts: ['{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}'],
    });

    const quick = await withClient({ url: announcing.url }, async (client) => {
      await client.callTool("raw", keep(60));
      await client.callTool("raw", keep(1));
      await client.callTool("echo");
      return announcing.connections();
    });
    const slow = await withClient({ url: server.url }, async (client) => {
      await client.callTool("echo");
      // Silence itself is measured here: three seconds are the limit.
      await delay(3_200);
      await client.callTool("echo");
      const lost = await client.callTool("raw", { end: "reset", status: 200 });
      return { connections: server.connections(), lost };
    });

    expect(unwrap(quick)).toBe(2);
    const { connections, lost } = unwrap(slow);
    expect(connections).toBe(2);
    expect(lost.error?.delivery).toBe("unknown");
    expect(server.lines().filter((line) => line === "POST tools/call")).toHaveLength(3);
  },
);
