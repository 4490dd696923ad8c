import { proves } from "@postern/testing";
import { expect } from "vitest";
import { callTool } from "../../src/index.ts";
import { httpServer, rpcError, verdict, type RawAnswer } from "../http-support.ts";

const json = "application/json";
const sse = "text/event-stream";

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
