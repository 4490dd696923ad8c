import type { Command } from "./command.ts";
import { childTree, type ChildTree } from "./child-tree.ts";
import { deferred } from "./deferred.ts";
import { OutputCapture } from "./output-capture.ts";
import { OutputFeed } from "./output-feed.ts";
import { requireSupportedPlatform } from "./platform.ts";
import { preflight } from "./preflight.ts";
import { runLimits, type RunLimits, type RunOptions } from "./run-options.ts";
import type { Ran, RunOutcome } from "./run-outcome.ts";
import { noteRunning } from "./running.ts";
import { spawnChild, type Child } from "./spawn-child.ts";
import type { SpawnCode } from "./spawn-code.ts";
import { endTree, proveGone, type TreeEnd } from "./tree-end.ts";

/** A command and the bytes it reads; without `stdin` its input is the null device. */
export interface RunnableCommand extends Command {
  /** At most 1 MiB; closed after the last byte. */
  readonly stdin?: Uint8Array;
}

type StopCause = "timed_out" | "cancelled" | "output_limit";

const MAX_STDIN_BYTES = 1024 * 1024;
const PIPES_LIMIT_MS = 250;
/** After the tree was ended, bytes already in the pipes are all that can come. */
const DRAIN_LIMIT_MS = 50;

/**
 * Runs one program to its end and proves that its process tree is gone. Never throws for what can go wrong with
 * a run: every cause is a kind or a code. Limits: see `RunOptions`.
 */
export async function runCommand(
  command: RunnableCommand,
  options: RunOptions = {},
): Promise<RunOutcome> {
  requireSupportedPlatform();
  const limits = runLimits(options);
  if (limits === undefined || (command.stdin?.length ?? 0) > MAX_STDIN_BYTES) {
    return notStarted("invalid_argument");
  }
  const ready = await preflight(command, limits.tier);
  if (ready.kind === "refused") return notStarted(ready.code);
  if (options.signal?.aborted === true) return notStarted("cancelled");

  const spawned = await spawnChild(command, {
    cwd: ready.cwd,
    marked: limits.survivors !== "leave",
    stdin: command.stdin === undefined ? "ignore" : "pipe",
  });
  if (spawned.kind === "not_started") return spawned;
  sendInput(spawned.child, command.stdin);
  return await follow(spawned.child, childTree(spawned.child), limits, options);
}

/** Watches a running child to its end. */
async function follow(
  child: Child,
  tree: ChildTree,
  limits: RunLimits,
  options: RunOptions,
): Promise<RunOutcome> {
  const startedMs = performance.now();
  const startedAt = new Date().toISOString();
  const stop = stopSwitch();
  const feed = options.onOutput && new OutputFeed(options.onOutput, limits.outputCapBytes);
  const { stdout, stderr } = child.process;
  if (stdout === null || stderr === null) throw new TypeError("A child has both output pipes.");
  const capture = new OutputCapture(stdout, stderr, {
    capBytes: limits.outputCapBytes,
    feed,
    onOverflow: () => {
      if (limits.onOverflow === "kill") stop.ask("output_limit");
    },
  });
  const deadline = setTimeout(() => stop.ask("timed_out"), limits.timeoutMs);
  const cancel = (): void => stop.ask("cancelled");
  options.signal?.addEventListener("abort", cancel, { once: true });
  const gone = deferred<undefined>();
  const forget = noteRunning({
    stop: () => {
      cancel();
      return gone.promise;
    },
    killNow: () => tree.killNow(),
  });
  try {
    options.onStarted?.(child.pid);
    const cause = await Promise.race([child.leader.exited.then(() => undefined), stop.asked]);
    clearTimeout(deadline);
    const held = cause === undefined && !(await capture.closedWithin(PIPES_LIMIT_MS));
    const end = await endOf(child, tree, limits, cause);
    const closed = await capture.closedWithin(DRAIN_LIMIT_MS);
    const exit = child.leader.exit() ?? { exitCode: null, signal: null };
    return outcome(cause, {
      ...capture.finish(),
      ...end,
      ...exit,
      pid: child.pid,
      startedAt,
      durationMs: Math.round(performance.now() - startedMs),
      pipesHeldOpen: held || !closed,
      tier: limits.tier,
    });
  } finally {
    clearTimeout(deadline);
    options.signal?.removeEventListener("abort", cancel);
    forget();
    gone.resolve(undefined);
  }
}

/** Ends what is left: after an ordinary end only what outlived the child, else the tree with it. */
async function endOf(
  child: Child,
  tree: ChildTree,
  limits: RunLimits,
  cause: StopCause | undefined,
): Promise<TreeEnd> {
  const { survivors, graceMs } = limits;
  if (cause === undefined && survivors !== "kill") {
    return await proveGone(tree, false);
  }
  const steps = [
    { step: "TERM", graceMs },
    { step: "KILL", graceMs: 1_000 },
  ] as const;
  return await endTree(tree, { steps, survivors, leaderExited: child.leader.exited });
}

function outcome(cause: StopCause | undefined, ran: Ran): RunOutcome {
  if (cause !== undefined) return { ...ran, kind: cause };
  if (ran.exitCode !== null) return { ...ran, kind: "exited", exitCode: ran.exitCode };
  return { ...ran, kind: "signaled", signal: ran.signal ?? "unknown" };
}

function sendInput(child: Child, bytes: Uint8Array | undefined): void {
  const { stdin } = child.process;
  if (stdin === null || bytes === undefined) return;
  // A child that does not read its input is no failure of the run.
  stdin.on("error", () => stdin.destroy());
  stdin.end(bytes);
}

function stopSwitch(): { ask(cause: StopCause): void; readonly asked: Promise<StopCause> } {
  const { promise, resolve } = deferred<StopCause>();
  return { ask: resolve, asked: promise };
}

function notStarted(code: SpawnCode): RunOutcome {
  return { kind: "not_started", code };
}
