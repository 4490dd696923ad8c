import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import { createSurroundings } from "../harness/surroundings.ts";
import { tmuxServerBin, writeSettings } from "../harness/tmux-server.ts";

// The 1.x SDK shares no code with our client and little with our server: a peer that nobody here wrote.
proves(
  "TMUX-80",
  "the SDK 1.x client lists the tools, reads, runs a command and gets its exit code",
  async () => {
    const surroundings = await createSurroundings();
    const client = new Client({ name: "sdk-1-peer", version: "1.0.0" });
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
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [tmuxServerBin, "--socket", surroundings.socket],
          env: { ...surroundings.env },
          cwd: surroundings.folder,
        }),
      );

      const { tools } = await client.listTools();
      const run = await client.callTool({
        name: "execute_and_wait",
        arguments: { session: "work", command: "echo from-sdk-1; false", wait_for_prompt: true },
      });
      const refused = await client.callTool({
        name: "read_tmux_pane",
        arguments: { session: "absent" },
      });

      expect(tools).toHaveLength(9);
      expect(run.structuredContent).toMatchObject({
        outcome: "completed",
        exit_code: 1,
        output_lines: ["from-sdk-1"],
      });
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: { error: { code: "session_not_found" } },
      });
    } finally {
      await client.close();
      await surroundings.end();
    }
  },
);
