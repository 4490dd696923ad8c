import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import { createSurroundings, type Surroundings } from "../harness/surroundings.ts";
import { tmuxServerBin, writeSettings } from "../harness/tmux-server.ts";

/** What this suite needs of a client; the SDKs' own classes are wider and differ between their versions. */
interface Peer {
  listTools(): Promise<{ tools: readonly unknown[] }>;
  callTool(call: { name: string; arguments: object }): Promise<unknown>;
  close(): Promise<void>;
}

// Peers that nobody here wrote, and that share no code with our client.
const peers: readonly (readonly [string, (server: Started) => Promise<Peer>])[] = [
  ["1.x", connectWithSdk1],
  ["2.x at 2025-11-25", (server) => connectWithSdk2(server, "legacy")],
  ["2.x at 2026-07-28", (server) => connectWithSdk2(server, { pin: "2026-07-28" })],
];

for (const [name, connect] of peers) {
  proves(
    "TMUX-80",
    `the SDK client ${name} lists the tools, runs a command and reads a refusal`,
    async () => {
      const surroundings = await createSurroundings();
      let client: Peer | undefined;
      try {
        await surroundings.tmux(
          "new-session",
          "-d",
          "-s",
          "work",
          "-x",
          "100",
          "-y",
          "30",
          "bash",
          "--noprofile",
          "--norc",
        );
        writeSettings(surroundings, { write_enabled: true });
        client = await connect(started(surroundings));

        const { tools } = await client.listTools();
        const run = await client.callTool({
          name: "execute_and_wait",
          arguments: { session: "work", command: "echo from-a-peer; false", wait_for_prompt: true },
        });
        const refused = await client.callTool({
          name: "read_tmux_pane",
          arguments: { session: "absent" },
        });

        expect(tools).toHaveLength(9);
        expect(run).toMatchObject({
          structuredContent: { outcome: "completed", exit_code: 1, output_lines: ["from-a-peer"] },
        });
        expect(refused).toMatchObject({
          isError: true,
          structuredContent: { error: { code: "session_not_found" } },
        });
      } finally {
        await client?.close();
        await surroundings.end();
      }
    },
  );
}

type Started = ReturnType<typeof started>;

function started({ socket, env, folder }: Surroundings): {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
} {
  const args = [tmuxServerBin, "--socket", socket];
  return { command: process.execPath, args, env: { ...env }, cwd: folder };
}

async function connectWithSdk1(server: Started): Promise<Peer> {
  const client = new Client1({ name: "sdk-1-peer", version: "1.0.0" });
  await client.connect(new Stdio1(server));
  return client as unknown as Peer;
}

async function connectWithSdk2(server: Started, mode: "legacy" | { pin: string }): Promise<Peer> {
  const client = new Client2(
    { name: "sdk-2-peer", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
  await client.connect(new Stdio2(server));
  return client as unknown as Peer;
}
