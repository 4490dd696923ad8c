import { proves } from "@postern/testing";
import { expect } from "vitest";
import { parseServerConfig } from "../../src/config/parse.ts";
import { callTool } from "../../src/index.ts";
import { httpServer, verdict } from "../http-support.ts";
import { cli } from "../support.ts";

const opens = (revision: string) => {
  const result = { protocolVersion: revision, capabilities: {} };
  const parts = [`{"jsonrpc":"2.0","id":$ID,"result":${JSON.stringify(result)}}`];
  return `--on=initialize=${JSON.stringify({ type: "application/json", parts })}`;
};

proves(
  "CLNT-51",
  "two revisions, two older ones by choice, and no HTTP+SSE, which doctor knows",
  async () => {
    const older = await httpServer(opens("2025-06-18"));
    const oldest = await httpServer(opens("2024-11-05"));
    const event = {
      type: "text/event-stream",
      parts: ["event: endpoint\ndata: /post\n\n"],
      end: "stall",
    };
    const refused = ["initialize", "server/discover"].map(
      (method) => `--on=${method}={"status":405}`,
    );
    const sse = await httpServer(...refused, `--on=GET=${JSON.stringify(event)}`);
    const none = await httpServer(...refused);

    const unasked = await callTool({ url: older.url }, "echo");
    const accepted = await callTool({ url: older.url, acceptRevisions: ["2025-06-18"] }, "echo");
    const never = await callTool(
      { url: oldest.url, acceptRevisions: ["2025-06-18", "2025-03-26"] },
      "echo",
    );
    const unknown = await parseServerConfig({ url: older.url, acceptRevisions: ["2024-11-05"] });
    const doctor = await cli(["doctor", sse.url]);
    const other = await cli(["doctor", none.url]);

    expect(verdict(unasked)).toEqual(["revision_not_supported", "not_sent"]);
    expect([verdict(accepted), accepted.detail.revision]).toEqual([undefined, "2025-06-18"]);
    expect(older.requests().at(-1)?.headers["mcp-protocol-version"]).toBe("2025-06-18");
    expect(verdict(never)).toEqual(["revision_not_supported", "not_sent"]);
    expect(unknown.kind).toBe("invalid");
    expect([doctor.exitCode, doctor.stdout.includes("HTTP+SSE")]).toEqual([1, true]);
    expect([other.exitCode, other.stdout.includes("HTTP+SSE")]).toEqual([1, false]);
    expect(sse.lines().filter((line) => line === "GET")).toHaveLength(1);
  },
);
