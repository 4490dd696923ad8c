import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
} from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import { startHttpServer, type HttpServer } from "../harness/http-server.ts";
import { inSurroundings } from "../harness/in-surroundings.ts";
import type { Surroundings } from "../harness/surroundings.ts";

/** What this suite needs of a client; the SDKs' own classes are wider and differ between their versions. */
interface Peer {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<unknown>;
  close(): Promise<void>;
}

// Peers that nobody here wrote, and that share no code with our client.
const peers: readonly (readonly [string, (url: string, token: string) => Promise<Peer>])[] = [
  ["1.x", connectWithSdk1],
  ["2.x at 2025-11-25", (url, token) => connectWithSdk2(url, token, "legacy")],
  ["2.x at 2026-07-28", (url, token) => connectWithSdk2(url, token, { pin: "2026-07-28" })],
];

for (const [name, connect] of peers) {
  proves(
    ["TMUX-86", "TMUX-80"],
    `the SDK client ${name} reads and runs a command over HTTP, types once per requestId, and is out when revoked`,
    async () => {
      await inSurroundings({ settings: { write_enabled: true } }, async (surroundings) => {
        const server = await startHttpServer(surroundings);
        try {
          await converse(surroundings, server, connect);
        } finally {
          expect(await server.close()).toBe(0);
        }
      });
    },
    60_000,
  );
}

async function converse(
  surroundings: Surroundings,
  server: HttpServer,
  connect: (url: string, token: string) => Promise<Peer>,
): Promise<void> {
  const client = await connect(server.url, await server.newToken("peer", "write"));
  const witness = join(surroundings.folder, "typed");
  const call = {
    name: "execute_and_wait",
    arguments: {
      session: "work",
      command: `echo once >> ${witness}; echo from-http; false`,
      wait_for_prompt: true,
      requestId: "3f6f1f0e-3f5c-4a6e-9d53-6a1d2c0b7e11",
    },
  };
  try {
    const { tools } = await client.listTools();
    const run = await client.callTool(call);
    const again = await client.callTool(call);
    const refused = await client.callTool({
      name: "read_tmux_pane",
      arguments: { session: "absent" },
    });
    await server.revoke("peer");
    const afterwards = client.callTool({ name: "get_server_info", arguments: {} });

    expect(tools.map(({ name }) => name)).toContain("execute_and_wait");
    expect(run).toMatchObject({
      structuredContent: { outcome: "completed", exit_code: 1, output_lines: ["from-http"] },
    });
    expect(again).toMatchObject({
      structuredContent: { outcome: "completed", exit_code: 1, output_lines: ["from-http"] },
    });
    expect(readFileSync(witness, "utf8")).toBe("once\n");
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "session_not_found" } },
    });
    await expect(afterwards).rejects.toThrow(/401|[Uu]nauthori/);
  } finally {
    await client.close();
  }
}

async function connectWithSdk1(url: string, token: string): Promise<Peer> {
  const client = new Client1({ name: "sdk-1-peer", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new Http1(new URL(url), { requestInit }));
  return client as unknown as Peer;
}

async function connectWithSdk2(
  url: string,
  token: string,
  mode: "legacy" | { pin: string },
): Promise<Peer> {
  const client = new Client2(
    { name: "sdk-2-peer", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new Http2(new URL(url), { requestInit }));
  return client as unknown as Peer;
}
