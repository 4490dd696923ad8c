import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { StopStep } from "./tree-end.ts";

/** A process that ends a tree when this process is gone without having done so. */
export interface Guard {
  /** Whether it is still there to do its work. */
  isArmed(): boolean;
  /** Sends it away: the tree has ended. */
  disarm(): void;
}

export interface Guarded {
  readonly pid: number;
  /** Without a mark nothing but the direct child may be ended, and the end of its input has to do. */
  readonly marker: string | undefined;
  readonly stopBy: readonly StopStep[];
}

const XARGS = ["/usr/bin/xargs", "/bin/xargs"];

/**
 * Starts a guard and returns at once. It waits for the end of a pipe that only this process holds. `xargs` does
 * the waiting where it exists, because it starts in a millisecond and brings Node up only when the pipe ends.
 */
export function armGuard(guarded: Guarded): Guard {
  if (guarded.marker === undefined) return { isArmed: () => false, disarm: () => undefined };
  const guard = start([
    process.execPath,
    fileURLToPath(import.meta.resolve("@postern/exec-sandbox/guard")),
    guarded.marker,
    JSON.stringify(guarded.stopBy),
  ]);
  let armed = guard.pid !== undefined;
  guard.once("exit", () => {
    armed = false;
  });
  guard.once("error", () => {
    armed = false;
  });
  guard.stdin?.on("error", () => guard.stdin?.destroy());
  guard.stdin?.write(`${String(guarded.pid)}\n`);
  unref(guard);
  return {
    isArmed: () => armed,
    disarm: () => {
      armed = false;
      guard.kill("SIGKILL");
    },
  };
}

function start(argv: readonly [string, ...string[]]): ChildProcess {
  const xargs = XARGS.find((path) => existsSync(path));
  const [file, ...args] = xargs === undefined ? argv : [xargs, ...argv];
  // Own session: neither a terminal's signals nor the end of this process's group may take it along.
  return spawn(file, args, {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
}

/** Lets this process end while the guard waits for exactly that. */
function unref(guard: ChildProcess): void {
  guard.unref();
  const { stdin } = guard;
  if (stdin !== null && "unref" in stdin && typeof stdin.unref === "function") stdin.unref();
}
