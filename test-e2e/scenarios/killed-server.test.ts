import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callTool } from "@postern/mcp-client";
import { newRequestId } from "@postern/protocol";
import { eventually, proves } from "@postern/testing";
import { execa } from "execa";
import { expect } from "vitest";
import { createSurroundings, survivors } from "../harness/surroundings.ts";
import { tmuxServer, tmuxServerBin, writeSettings } from "../harness/tmux-server.ts";

const rounds = Number(process.env["KILLS"] ?? 24);

proves(
  ["QUAL-31", "TMUX-94"],
  `a server killed at ${String(rounds)} moments of a write never types twice and never denies what happened`,
  async () => {
    const surroundings = await createSurroundings();
    try {
      writeSettings(surroundings, { write_enabled: true });
      await surroundings.tmux(
        "new-session",
        "-d",
        "-s",
        "work",
        "-x",
        "100",
        "-y",
        "30",
        "cat > typed",
      );
      const typed = join(surroundings.folder, "typed");
      await eventually(() => existsSync(typed));
      const seen = new Map<string, number>();

      for (let round = 0; round < rounds; round += 1) {
        const requestId = newRequestId();
        const token = `round-${String(round)}-end`;
        const args = { session: "work", text: `${token}\n`, requestId };
        // Killed somewhere between its first instruction and just after its answer.
        await killedDuring(args, 60 + (round * 240) / rounds);
        const repeat = await callTool(
          tmuxServer(surroundings, "2025-11-25"),
          "write_tmux_pane",
          args,
        );
        const state =
          repeat.result?.kind === "complete" && !repeat.result.isError
            ? "applied"
            : codeOf(repeat.result);
        if (state === "applied") await eventually(() => count(typed, token) > 0);
        const times = count(typed, token);
        appendFileSync(join(surroundings.folder, "log"), `${token} ${state} ${String(times)}\n`);
        seen.set(state, (seen.get(state) ?? 0) + 1);
        expect({ token, times, state }).toEqual({
          token,
          state,
          times: state === "applied" ? 1 : Math.min(times, 1),
        });
        if (state === "crashed_before_effect") expect(times).toBe(0);
      }

      expect(
        [...seen.keys()].filter(
          (state) => !["applied", "owner_lost", "crashed_before_effect"].includes(state),
        ),
      ).toEqual([]);
      expect(seen.get("owner_lost") ?? 0).toBeLessThanOrEqual(rounds / 4);
      expect(await surroundings.tmux("list-buffers")).toBe("");
      await eventually(() =>
        survivors(surroundings.folder).every((line) => !line.includes(tmuxServerBin)),
      );
    } finally {
      await surroundings.end();
    }

    async function killedDuring(args: object, afterMs: number): Promise<void> {
      const server = execa(process.execPath, [tmuxServerBin, "--socket", surroundings.socket], {
        env: surroundings.env,
        extendEnv: false,
        cwd: surroundings.folder,
        reject: false,
        stdin: "pipe",
      });
      server.stdin.on("error", () => "The server was killed before it read the request.");
      server.stdin.write(
        `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "write_tmux_pane", params: args })}\n`,
      );
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      server.kill("SIGKILL");
      await server;
    }
  },
  180_000,
);

function count(file: string, token: string): number {
  return readFileSync(file, "utf8").split(`${token}\n`).length - 1;
}

function codeOf(reply: unknown): string {
  const { structuredContent } = reply as { structuredContent?: { error?: { code?: string } } };
  return structuredContent?.error?.code ?? "no code";
}
