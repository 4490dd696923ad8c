import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessTree, Survivor, SurvivorCheck, TreeMember } from "./process-tree.ts";
import type { ChildExit } from "./spawn-child.ts";

/** One step of ending a process, and how long it may take effect. */
export interface StopStep {
  readonly step: "end_stdin" | "TERM" | "KILL";
  readonly graceMs: number;
}

/** What becomes of processes that outlive their run: ended, only listed, or not looked for. */
export type SurvivorPolicy = "kill" | "report" | "leave";

export interface TreeEnd {
  /** The strongest signal that was sent to anything of the tree. */
  readonly killedWith: "none" | "TERM" | "KILL";
  /** Processes that are still there. */
  readonly survivors: readonly Survivor[];
  readonly survivorCheck: SurvivorCheck;
}

export interface TreeEndOptions {
  readonly steps: readonly StopStep[];
  /** With `report`, only the group is signalled, and what lives outside it is listed. */
  readonly survivors: SurvivorPolicy;
  /** Resolves when the direct child ended; absent when it is not ours to wait for. */
  readonly leaderExited?: Promise<ChildExit>;
  readonly endStdin?: () => void;
}

const VERIFY_MS = 1_000;

/** Ends a tree step by step and proves the end: two empty searches, or one second of KILL. */
export async function endTree(tree: ProcessTree, options: TreeEndOptions): Promise<TreeEnd> {
  let killedWith: TreeEnd["killedWith"] = "none";
  for (const { step, graceMs } of options.steps) {
    const deadline = performance.now() + graceMs;
    if (step === "end_stdin") {
      options.endStdin?.();
      // What a well-behaved child leaves behind has no use for the rest of this grace.
      if (options.leaderExited !== undefined) await settledBy(options.leaderExited, deadline);
      else await goneBy(tree, deadline, options);
      continue;
    }
    const { members } = await tree.search();
    if (members.length === 0) break;
    tree.signal(step === "TERM" ? "SIGTERM" : "SIGKILL", within(members, options));
    if (killedWith !== "KILL") killedWith = step;
    await goneBy(tree, deadline, options);
  }
  const proof = await proveGone(tree, options.survivors !== "report");
  return proof.killedWith === "KILL" ? proof : { ...proof, killedWith };
}

/** Searches until two passes in a row found nothing or a second is over, killing what it finds if told to. */
export async function proveGone(tree: ProcessTree, kill: boolean): Promise<TreeEnd> {
  const deadline = performance.now() + VERIFY_MS;
  let killedWith: TreeEnd["killedWith"] = "none";
  let emptyPasses = 0;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 20)) {
    const { members, check, final } = await tree.search();
    emptyPasses = members.length === 0 ? emptyPasses + 1 : 0;
    if (emptyPasses === 2 || (final && members.length === 0)) {
      return { survivors: [], survivorCheck: check, killedWith };
    }
    if (members.length > 0 && (!kill || performance.now() > deadline)) {
      const survivors = members.map(({ pid, command }) => ({ pid, command }));
      return { survivors, survivorCheck: check, killedWith };
    }
    if (members.length > 0) {
      killedWith = "KILL";
      tree.signal("SIGKILL", members);
      await sleep(pauseMs);
    }
  }
}

/** Waits until the direct child has ended and nothing of its tree is left, at most until the deadline. */
async function goneBy(tree: ProcessTree, deadline: number, options: TreeEndOptions): Promise<void> {
  if (options.leaderExited !== undefined) {
    await settledBy(options.leaderExited, deadline);
  }
  for (let pauseMs = 2; performance.now() < deadline; pauseMs = Math.min(pauseMs * 2, 50)) {
    const beganMs = performance.now();
    const left = within((await tree.search()).members, options);
    if (left.length === 0) return;
    // Among thousands of processes a search is dear; most of the time goes to waiting all the same.
    const costMs = performance.now() - beganMs;
    await sleep(Math.min(Math.max(pauseMs, 4 * costMs), Math.max(0, deadline - performance.now())));
  }
}

function within(members: readonly TreeMember[], options: TreeEndOptions): readonly TreeMember[] {
  return options.survivors === "report" ? members.filter((member) => member.inGroup) : members;
}

/** Waits for a promise that never rejects, at most until a point of the monotonic clock. */
export async function settledBy(settled: Promise<unknown>, deadline: number): Promise<void> {
  const abort = new AbortController();
  const timer = sleep(Math.max(0, deadline - performance.now()), undefined, {
    signal: abort.signal,
  }).catch(() => undefined);
  await Promise.race([settled, timer]);
  abort.abort();
}
