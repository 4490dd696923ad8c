import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import {
  buildEnvironment,
  openDirectory,
  resolveExecutable,
  type Command,
  type PinnedDirectory,
  type ResolvedExecutable,
} from "../src/index.ts";

export const searchPath = "/usr/local/bin:/usr/bin:/bin";

/** A command of a system program, in `/tmp`. */
export async function systemCommand(name: string, args: readonly string[]): Promise<Command> {
  return {
    executable: await resolved(name),
    args,
    directory: await opened("/tmp"),
    env: buildEnvironment({ source: {}, inherit: [], searchPath }),
  };
}

/** A command that runs a fixture under this Node. */
export async function fixtureCommand(name: string, ...args: readonly string[]): Promise<Command> {
  const fixture = fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url));
  return await systemCommand(process.execPath, [fixture, ...args]);
}

/** A command that runs a shell script; `$0` is the first argument. */
export async function shellCommand(script: string, ...args: readonly string[]): Promise<Command> {
  return await systemCommand("sh", ["-c", script, ...args]);
}

export async function resolved(name: string): Promise<ResolvedExecutable> {
  const result = await resolveExecutable(name, { searchPath });
  if (result.kind === "refused") throw new Error(`${name}: ${result.code}`);
  return result.executable;
}

/** A directory that is let go when the test ends. */
export async function opened(path: string): Promise<PinnedDirectory> {
  const result = await openDirectory(path);
  if (result.kind === "refused") throw new Error(`${path}: ${result.code}`);
  onTestFinished(() => result.directory.close());
  return result.directory;
}

/**
 * A number of seconds that no other process sleeps for. `tagged` finds processes by it in their arguments, so
 * independently of how the package finds them; what is left of it is killed when the test ends.
 */
export function newTag(): string {
  const tag = `600.${String(randomInt(1e8, 1e9))}`;
  onTestFinished(() => {
    for (const pid of tagged(tag)) process.kill(pid, "SIGKILL");
  });
  return tag;
}

/** The living processes with the tag in their arguments. */
export function tagged(tag: string): readonly number[] {
  const table = execFileSync("ps", ["-A", "-ww", "-o", "pid=,stat=,args="], { encoding: "utf8" });
  return table
    .split("\n")
    .filter((line) => line.includes(tag) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10));
}
