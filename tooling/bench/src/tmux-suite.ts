import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { connect, unwrap, type Client } from "@postern/mcp-client";
import { appBin, programContender, throwAwayHome } from "./program.ts";
import { race, stopwatch, WrongAnswer, type Contender } from "./race.ts";
import { reader, type SuiteOptions, type SuiteResult } from "./suite.ts";

const FLOOR = "tmux display-message";
const LIST = "postern-tmux get_tmux_sessions";
const INFO = "postern-tmux get_pane_info";
const READ = "postern-tmux read_tmux_pane, unchanged";
const WRITE = "postern-tmux write_tmux_pane, one line";
const EXECUTE = "postern-tmux execute_and_wait true";
const START = "postern-tmux start to initialize";
const NODE = "node -e 0";
const START_ROUNDS = 12;

/** Warm calls of one server, one at a time, beside one bare spawn of tmux. */
export async function tmuxSuite({ rounds = 100 }: SuiteOptions): Promise<SuiteResult> {
  const { home, remove } = throwAwayHome();
  const socket = join(home, "s");
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", PS1: "$ " };
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const words = ["-u", "-S", socket, "-f", "/dev/null", ...args];
    return (await promisify(execFile)("tmux", words, { cwd: home, env })).stdout;
  };
  const server = { command: process.execPath, args: [appBin("tmux-server"), "--socket", socket] };
  const open = async (): Promise<Client> => unwrap(await connect({ ...server, env, cwd: home }));
  let client: Client | undefined;
  try {
    allowWriting(home);
    const size = ["-x", "100", "-y", "30"];
    const shell = ["bash", "--noprofile", "--norc"];
    await tmux("new-session", "-d", "-s", "shell", ...size, ...shell);
    await tmux("new-session", "-d", "-s", "still", ...size, ...shell);
    await tmux("new-session", "-d", "-s", "typed", ...size, "cat");
    client = await open();
    const measured = await race(
      [
        { name: FLOOR, run: () => stopwatch(() => tmux("display-message", "-p", "ok")) },
        toolContender(client, LIST, "get_tmux_sessions", {}),
        toolContender(client, INFO, "get_pane_info", { session: "still" }),
        toolContender(client, READ, "read_tmux_pane", { session: "still" }),
        toolContender(client, WRITE, "write_tmux_pane", { session: "typed", text: "a line\n" }),
        toolContender(client, EXECUTE, "execute_and_wait", { session: "shell", command: "true" }),
      ],
      { rounds },
    );
    const starts = await race(
      [
        programContender({ name: NODE, argv: [process.execPath, "-e", "0"], prints: "", home }),
        { name: START, run: () => startToInitialize(open) },
      ],
      { rounds: Math.min(rounds, START_ROUNDS) },
    );
    return {
      suite: "tmux",
      floor: FLOOR,
      measured: [...measured.values(), ...starts.values()],
      figures: figures(new Map([...measured, ...starts])),
      notes: ["One server and one client, warm, one call at a time; every answer was checked."],
    };
  } finally {
    await client?.close();
    await tmux("kill-server").catch(() => "It was not running.");
    remove();
  }
}

function figures(measured: Parameters<typeof reader>[0]): SuiteResult["figures"] {
  const of = reader(measured);
  const bare = of(FLOOR);
  const ratio = (what: string, value: number, limit: number) => ({ what, value, unit: "x", limit });
  return [
    ratio("get_tmux_sessions p50 / bare spawn", of(LIST) / bare, 1.6),
    ratio("get_pane_info p50 / bare spawn", of(INFO) / bare, 3),
    ratio("unchanged read p50 / bare spawn", of(READ) / bare, 2),
    ratio("unchanged read p95 / bare spawn", of(READ, "p95Ms") / bare, 4),
    ratio("write of one line p50 / bare spawn", of(WRITE) / bare, 6),
    ratio("execute true p50 / bare spawn", of(EXECUTE) / bare, 8),
    ratio("execute true p95 / bare spawn", of(EXECUTE, "p95Ms") / bare, 20),
    ratio("start to initialize / node -e 0", of(START) / of(NODE), 4),
  ];
}

function toolContender(client: Client, name: string, tool: string, args: object): Contender {
  return {
    name,
    run: () =>
      stopwatch(async () => {
        const { result, error } = await client.callTool(tool, args);
        if (error) throw new WrongAnswer(`${tool}: ${error.message}`);
        if (result.kind === "complete" && !result.isError) return;
        throw new WrongAnswer(`${tool}: ${JSON.stringify(result).slice(0, 200)}`);
      }),
  };
}

async function startToInitialize(open: () => Promise<Client>) {
  let client: Client | undefined;
  const sample = await stopwatch(async () => {
    client = await open();
  });
  await client?.close();
  return sample;
}

/** What a person writes to let an agent type. */
function allowWriting(home: string): void {
  const directory = join(home, ".config/mcp-tmux");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const settings = { version: "1.0.0", write_enabled: true, allowed_sessions: [] };
  writeFileSync(join(directory, "config.json"), JSON.stringify(settings), { mode: 0o600 });
}
