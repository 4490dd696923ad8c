import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { WrongAnswer, type Contender, type Sample } from "./race.ts";

export interface Program {
  readonly name: string;
  readonly argv: readonly string[];
  /** What its standard output must contain. */
  readonly prints: string;
  readonly home: string;
}

const fixtures = join(import.meta.dirname, "../fixtures");
const root = join(import.meta.dirname, "../../..");

export const fixturePath = (name: string): string => join(fixtures, name);
export const appBin = (app: string): string => join(root, "apps", app, "dist/bin.js");

/** A throw-away folder that also serves as HOME. */
export function throwAwayHome(): { readonly home: string; readonly remove: () => void } {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "postern-bench-"));
  return { home, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 10 }) };
}

/** A contender that is a whole process, from its start to its end. */
export function programContender(program: Program): Contender {
  return { name: program.name, run: async () => await runOnce(program) };
}

/** The peak memory of one further run of a Node program, in MiB, asked of the process itself. */
export async function peakRssMiB(program: Program): Promise<number> {
  const file = join(program.home, "peak-rss");
  rmSync(file, { force: true });
  const NODE_OPTIONS = `--import=${fixturePath("peak-rss.mjs")}`;
  await runOnce(program, { NODE_OPTIONS, POSTERN_BENCH_RSS: file });
  const peaks = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
  return Math.max(...peaks) / 1024;
}

async function runOnce(program: Program, more: Record<string, string> = {}): Promise<Sample> {
  const [file = "", ...args] = program.argv;
  const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  const env = { PATH, HOME: program.home, LANG: "C.UTF-8", ...more };
  const cpuBefore = childCpuMs();
  const startedMs = performance.now();
  const child = spawn(file, args, { cwd: program.home, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const ms = performance.now() - startedMs;
  if (code !== 0 || !output.includes(program.prints)) {
    throw new WrongAnswer(`exit ${String(code)}: ${output.slice(0, 200)}`);
  }
  const cpuAfter = childCpuMs();
  return cpuBefore === undefined || cpuAfter === undefined
    ? { ms }
    : { ms, cpuMs: cpuAfter - cpuBefore };
}

/** What Linux has counted for all children that were waited for: cutime and cstime, in ticks of 10 ms. */
function childCpuMs(): number | undefined {
  if (process.platform !== "linux") return undefined;
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
