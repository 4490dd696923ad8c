import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newRequestId } from "@postern/protocol";
import { eventually, proves } from "@postern/testing";
import { expect } from "vitest";
import { recordingPane, writingRig } from "./rig/writing-rig.ts";

const bin = join(import.meta.dirname, "../src/bin.ts");
const kills = Number(process.env["KILLS"] ?? 5);
const callsPerKill = 6;

/** Codes of a repeat that say what is known after a kill. */
const honest = ["applied", "owner_lost", "crashed_before_effect"];

proves(
  ["TMUX-94", "QUAL-31"],
  `after ${String(kills)} kills in the middle of writes nothing was typed twice or denied`,
  async () => {
    const rig = await writingRig({ program: ["sleep", "1000"] });
    const pane = await recordingPane(rig, "raw");
    const states = new Map<string, number>();

    for (let kill = 0; kill < kills; kill += 1) {
      const requests = Array.from({ length: callsPerKill }, (_none, index) => ({
        session: "raw",
        text: `<${String(kill)}-${String(index)}>\n`,
        requestId: newRequestId(),
      }));
      await killedDuring(rig, requests, kill / kills);
      const restarted = rig.another();
      for (const request of requests) {
        const state = await restarted.write(request).then(
          () => "applied",
          (error: { code: string }) => error.code,
        );
        const typed = `${request.text.trimEnd()}\r`;
        if (state === "applied") await eventually(() => pane.bytes().includes(typed));
        const times = pane.bytes().split(typed).length - 1;
        expect({ state, times }).toSatisfy(isHonest);
        states.set(state, (states.get(state) ?? 0) + 1);
      }
    }

    expect([...states.keys()].filter((state) => !honest.includes(state))).toEqual([]);
    expect(await rig.tmux("list-buffers")).toBe("");
    await eventually(() => childrenOf(rig.socket).length === 0, { what: "no tmux client is left" });
  },
  120_000,
);

function isHonest({ state, times }: { readonly state: string; readonly times: number }): boolean {
  if (state === "applied") return times === 1;
  return state === "crashed_before_effect" ? times === 0 : times <= 1;
}

/** Starts a server, lets it answer one call, sends the rest at once and kills it somewhere in between. */
async function killedDuring(
  rig: { readonly socket: string; readonly state: string },
  requests: readonly object[],
  share: number,
): Promise<void> {
  const server = spawn(
    process.execPath,
    ["--conditions=@postern/source", bin, "--socket", rig.socket, "--write"],
    { env: { ...process.env, XDG_STATE_HOME: rig.state }, stdio: ["pipe", "pipe", "ignore"] },
  );
  const gone = once(server, "exit");
  const send = (id: number, method: string, params: object): void => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  };
  // The store is open and tmux is found once this is answered: the kill meets the writes themselves.
  send(0, "get_receipt", { requestId: newRequestId() });
  await once(server.stdout, "data");
  const startedAt = performance.now();
  for (const [index, request] of requests.entries()) send(index + 1, "write_tmux_pane", request);
  const wanted = share * callsPerKill;
  let answers = 0;
  while (answers < Math.floor(wanted)) {
    const [chunk] = (await once(server.stdout, "data")) as [Buffer];
    answers += chunk.toString().split("\n").length - 1;
  }
  const perCall = (performance.now() - startedAt) / Math.max(1, answers);
  await new Promise((resolve) => setTimeout(resolve, (wanted % 1) * Math.min(perCall, 100)));
  server.kill("SIGKILL");
  expect(await gone).toEqual([null, "SIGKILL"]);
}

/** Processes that name the socket and are neither the tmux server nor this test (Linux). */
function childrenOf(socket: string): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && namesTheSocket(pid, socket));
}

function namesTheSocket(pid: string, socket: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return words.includes(socket) && words.includes("source-file");
  } catch {
    // The process ended while we looked.
    return false;
  }
}
