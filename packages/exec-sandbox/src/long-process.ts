import type { Readable, Writable } from "node:stream";
import { captureTail, type CapturedStream } from "./captured-stream.ts";
import { childTree, type ChildTree } from "./child-tree.ts";
import type { Command } from "./command.ts";
import { deferred } from "./deferred.ts";
import { armGuard, type Guard } from "./guard-process.ts";
import { OutputWindow } from "./output-window.ts";
import { requireSupportedPlatform } from "./platform.ts";
import { preflight, type SandboxTier } from "./preflight.ts";
import { isWithin } from "./run-options.ts";
import { noteRunning } from "./running.ts";
import { spawnChild, type Child, type ChildExit } from "./spawn-child.ts";
import type { SpawnCode } from "./spawn-code.ts";
import {
  endTree,
  proveGone,
  settledBy,
  type StopStep,
  type SurvivorPolicy,
  type TreeEnd,
} from "./tree-end.ts";

/** A process that runs until it is closed or ends by itself. */
export interface LongProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The direct child's end; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** The last bytes of its error output so far. */
  stderrTail(): CapturedStream;
  /** Goes through the `stopBy` steps and proves the end. Every call returns the same end. */
  close(): Promise<TreeEnd>;
  /** Kills the tree at once, also while a `close()` waits out a grace, and proves the end as `close()` does. */
  kill(): Promise<TreeEnd>;
}

export interface StartOptions {
  /** How it is ended, in order; what is left after the last step is killed. Graces 0..60000 ms, at most 8 steps. */
  readonly stopBy: readonly StopStep[];
  /** @default "kill" */
  readonly survivors?: SurvivorPolicy;
  /** Aborting it closes the process. */
  readonly signal?: AbortSignal;
  /** Most bytes of error output kept. @default 64 KiB (1 KiB..4 MiB) */
  readonly stderrCapBytes?: number;
  /** @default "none" */
  readonly tier?: SandboxTier;
}

export type StartResult =
  | { readonly kind: "started"; readonly process: LongProcess }
  | { readonly kind: "not_started"; readonly code: SpawnCode };

const PIPES_LIMIT_MS = 250;
const DRAIN_LIMIT_MS = 50;

/**
 * Starts a program that talks over stdin and stdout. Its tree ends by `close()`, when it exits by itself, when
 * this process exits, and, through a guard, also when this process is killed.
 */
export async function startProcess(command: Command, options: StartOptions): Promise<StartResult> {
  requireSupportedPlatform();
  const { stopBy, survivors = "kill", stderrCapBytes = 64 * 1024, tier = "none", signal } = options;
  if (!isUsable(stopBy) || !isWithin(stderrCapBytes, 1024, 4 * 1024 * 1024)) {
    return { kind: "not_started", code: "invalid_argument" };
  }
  const ready = await preflight(command, tier);
  if (ready.kind === "refused") return { kind: "not_started", code: ready.code };
  if (signal?.aborted === true) return { kind: "not_started", code: "cancelled" };

  const spawned = await spawnChild(command, {
    cwd: ready.cwd,
    marked: survivors !== "leave",
    stdin: "pipe",
  });
  if (spawned.kind === "not_started") return spawned;
  const { child } = spawned;
  const guard = armGuard({ pid: child.pid, marker: child.marker, stopBy });
  const tree = childTree(child);
  return {
    kind: "started",
    process: longProcess(child, tree, guard, { ...options, survivors, stderrCapBytes }),
  };
}

function longProcess(
  child: Child,
  tree: ChildTree,
  guard: Guard,
  options: StartOptions & { readonly survivors: SurvivorPolicy; readonly stderrCapBytes: number },
): LongProcess {
  const { stdin, stdout, stderr } = child.process;
  if (stdin === null || stdout === null || stderr === null) {
    throw new TypeError("A long process has three pipes.");
  }
  const tail = new OutputWindow(0, options.stderrCapBytes);
  stderr.on("data", (chunk: Buffer) => tail.push(chunk));
  stderr.on("error", () => stderr.destroy());
  const stderrClosed = deferred<undefined>();
  stderr.once("close", () => stderrClosed.resolve(undefined));
  // The writer learns of a closed input by its callback or by `exited`; an unheard event would end this process.
  stdin.on("error", () => stdin.destroy());

  let ending: Promise<TreeEnd> | undefined;
  let killing: Promise<TreeEnd> | undefined;
  let isOver = false;
  const close = async (): Promise<TreeEnd> => {
    ending ??= end(options.stopBy);
    return await ending;
  };
  const kill = async (): Promise<TreeEnd> => {
    // Once the end is proved the pid may belong to somebody else.
    if (!isOver) killing ??= proveGone(tree, true);
    ending ??= end([]);
    return await ending;
  };
  const end = async (steps: readonly StopStep[]): Promise<TreeEnd> => {
    const ended = await endTree(tree, {
      steps,
      survivors: options.survivors,
      leaderExited: child.leader.exited,
      endStdin: () => stdin.end(),
    });
    isOver = true;
    const killed = (await killing)?.killedWith === "KILL";
    const result: TreeEnd = killed ? { ...ended, killedWith: "KILL" } : ended;
    options.signal?.removeEventListener("abort", onAbort);
    guard.disarm();
    forget();
    await settledBy(stderrClosed.promise, performance.now() + DRAIN_LIMIT_MS);
    stderr.destroy();
    return result;
  };
  const onAbort = (): void => void close();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  const forget = noteRunning({
    stop: close,
    killNow: () => {
      if (!guard.isArmed()) tree.killNow();
    },
  });
  void closeAfter(child.leader.exited, stderrClosed.promise, close);
  return {
    pid: child.pid,
    stdin,
    stdout,
    exited: child.leader.exited,
    stderrTail: () => captureTail(tail, options.stderrCapBytes),
    close,
    kill,
  };
}

/** A process that ended by itself is cleaned up after, once its last output had time to be read. */
async function closeAfter(
  exited: Promise<ChildExit>,
  outputRead: Promise<unknown>,
  close: () => Promise<TreeEnd>,
): Promise<void> {
  await exited;
  await settledBy(outputRead, performance.now() + PIPES_LIMIT_MS);
  await close();
}

function isUsable(steps: readonly StopStep[]): boolean {
  return steps.length <= 8 && steps.every(({ graceMs }) => isWithin(graceMs, 0, 60_000));
}
