import { spawn, type SpawnOptions } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { ReceiptAnswer } from "../src/index.ts";
import type { Work } from "./work.ts";

// Stripping types and compiling is most of what a short child does; the children of a run share it.
const compileCache = mkdtempSync(join(tmpdir(), "pt-cc-"));
afterAll(() => rmSync(compileCache, { recursive: true, force: true }));

const writer = fileURLToPath(new URL("./fixtures/writer.mjs", import.meta.url));

export interface Run {
  readonly exit: number | NodeJS.Signals | null;
  readonly answers: ReadonlyMap<string, ReceiptAnswer>;
  readonly health: unknown;
  readonly stderr: string;
}

/** The program, arguments and environment that do this work in a process of its own. */
export function writerCommand(work: Work): [string, string[], NodeJS.ProcessEnv] {
  const args = ["--conditions=@postern/source", writer, JSON.stringify(work)];
  return [process.execPath, args, { ...process.env, NODE_COMPILE_CACHE: compileCache }];
}

/** Runs the writer program to its end, or kills it after `killAfterMs` counted from its first answer. */
export async function runWriter(
  work: Work,
  options: {
    readonly killAfterMs?: number;
    readonly through?: readonly string[];
    readonly spawn?: SpawnOptions;
  } = {},
): Promise<Run> {
  const [node, nodeArgs, env] = writerCommand(work);
  const [program = "", ...args] = [...(options.through ?? []), node, ...nodeArgs];
  const child = spawn(program, args, { ...options.spawn, env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    if (stdout === "" && options.killAfterMs !== undefined) {
      setTimeout(() => child.kill("SIGKILL"), options.killAfterMs);
    }
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exit = await new Promise<Run["exit"]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? code));
  });
  const lines = stdout
    .split("\n")
    .slice(0, -1)
    .map(
      (line) =>
        JSON.parse(line) as { requestId?: string; answer?: ReceiptAnswer; health?: unknown },
    );
  const answers = new Map<string, ReceiptAnswer>();
  for (const { requestId, answer } of lines) {
    if (requestId !== undefined && answer !== undefined) answers.set(requestId, answer);
  }
  return { exit, answers, health: lines.at(-1)?.health, stderr };
}

/** How often each id took effect, as the independent log has it. */
export function effectsIn(log: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (!existsSync(log)) return counts;
  for (const id of readFileSync(log, "utf8").split("\n").slice(0, -1)) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** The two files of one experiment: the store and the log, apart from each other. */
export function filesIn(directory: string): { file: string; log: string } {
  return { file: join(directory, "store", "receipts.db"), log: join(directory, "effects.log") };
}
