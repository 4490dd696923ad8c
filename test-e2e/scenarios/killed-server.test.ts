import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { callTool } from "@postern/mcp-client";
import { newRequestId } from "@postern/protocol";
import { eventually, proves } from "@postern/testing";
import { execa } from "execa";
import { expect } from "vitest";
import { inSurroundings } from "../harness/in-surroundings.ts";
import { survivors, type Surroundings } from "../harness/surroundings.ts";
import { tmuxServer, tmuxServerBin } from "../harness/tmux-server.ts";

const rounds = Number(process.env["KILLS"] ?? 24);

proves(
  ["QUAL-31", "TMUX-94"],
  `a server killed at ${String(rounds)} moments of a write never types twice and never denies what happened`,
  () =>
    inSurroundings(
      { settings: { write_enabled: true }, program: ["cat > typed"] },
      async (surroundings) => {
        const typed = join(surroundings.folder, "typed");
        await eventually(() => existsSync(typed));
        const states: string[] = [];

        for (let round = 0; round < rounds; round += 1) {
          const token = `round-${String(round)}-end`;
          const args = { session: "work", text: `${token}\n`, requestId: newRequestId() };
          // Killed somewhere between its first instruction and just after its answer.
          await killDuring(surroundings, args, 60 + (round * 240) / rounds);
          const state = await repeat(surroundings, args);
          if (state === "applied") await eventually(() => count(typed, token) > 0);
          const times = count(typed, token);
          states.push(state);
          expect(allowedTimes[state], `${token} ${state}`).toContain(times);
        }

        expect(states.filter((state) => state === "owner_lost").length).toBeLessThanOrEqual(
          rounds / 4,
        );
        expect(await surroundings.tmux("list-buffers")).toBe("");
        await eventually(() =>
          survivors(surroundings.folder).every((line) => !line.includes(tmuxServerBin)),
        );
      },
    ),
  180_000,
);

/** How often the text may stand in the pane, by what the repeated call was told. */
const allowedTimes: Readonly<Record<string, readonly number[]>> = {
  applied: [1],
  owner_lost: [0, 1],
  crashed_before_effect: [0],
};

async function killDuring(
  { env, folder }: Surroundings,
  args: object,
  afterMs: number,
): Promise<void> {
  const server = execa(process.execPath, [tmuxServerBin], {
    env,
    extendEnv: false,
    cwd: folder,
    reject: false,
    stdin: "pipe",
  });
  server.stdin.on("error", () => "The server was killed before it read the request.");
  const request = { jsonrpc: "2.0", id: 1, method: "write_tmux_pane", params: args };
  server.stdin.write(`${JSON.stringify(request)}\n`);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  server.kill("SIGKILL");
  await server;
}

/** Makes the same call of a new server and says what it was told. */
async function repeat(surroundings: Surroundings, args: object): Promise<string> {
  const { result } = await callTool(
    tmuxServer(surroundings, "2025-11-25"),
    "write_tmux_pane",
    args,
  );
  if (result?.kind !== "complete") return "no answer";
  const { error } = result.structuredContent as { error?: { code: string } };
  return error?.code ?? "applied";
}

function count(file: string, token: string): number {
  return readFileSync(file, "utf8").split(`${token}\n`).length - 1;
}
