import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerConfig } from "../src/index.ts";
import { run } from "../src/cli.ts";

export const fixturePath = (name: string): string => join(import.meta.dirname, "fixtures", name);

/** A fixture server; see the head of `fixtures/server.mjs` for its flags. */
export function server(...flags: string[]): ServerConfig & { command: string; args: string[] } {
  return { command: process.execPath, args: [fixturePath("server.mjs"), ...flags] };
}

/** The same as words of a command line. */
export function serverWords(...flags: string[]): string[] {
  const { command, args } = server(...flags);
  return ["--", command, ...args];
}

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, as a terminal would or not. */
export async function cli(argv: readonly string[], stderrIsTerminal = false): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  const exitCode = await run(argv, {
    stdout: async (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    stderrIsTerminal,
  });
  return { exitCode, stdout, stderr };
}

/** Runs the bin as a process of its own. */
export function startBin(
  argv: readonly string[],
  o: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  return startNode([join(import.meta.dirname, "../src/bin.ts"), ...argv], o);
}

/** Runs a program with this package's sources resolvable. */
export function startNode(
  argv: readonly string[],
  o: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const flags = ["--conditions=@postern/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, ...argv], { env: { ...process.env, ...o.env } });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
  child.stdin.on("error", () => undefined);
  child.stdin.end(o.input);
  const ended = new Promise<CliResult & { signal: string | null }>((resolve) => {
    child.on("close", (exitCode, signal) =>
      resolve({ ...output, exitCode: exitCode ?? -1, signal }),
    );
  });
  return { child, output, ended };
}

/** The messages a fixture server has received. */
export function logged(
  file: string,
): { id?: number; method?: string; params?: Record<string, unknown> }[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Processes alive, zombies apart, whose command line holds a word; read from the system, not from our own books. */
export function processesWith(word: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return (
          readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word) &&
          !/^State:\s+Z/m.test(readFileSync(`/proc/${name}/status`, "utf8"))
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Runs with `--json` and checks that stdout is exactly one document on one line. */
export async function cliJson(argv: readonly string[]) {
  const cut = argv.indexOf("--");
  const words = cut === -1 ? [...argv, "--json"] : argv.toSpliced(cut, 0, "--json");
  const { stdout, exitCode } = await cli(words);
  if (!/^\{.*\}\n$/.test(stdout)) throw new Error(`Not one document on one line: ${stdout}`);
  return { exitCode, text: stdout, document: JSON.parse(stdout) };
}
