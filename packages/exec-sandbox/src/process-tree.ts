import type { Leader } from "./spawn-child.ts";

/** A process that is still there, by the name the system gives it; arguments are never read. */
export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/** How the end of a tree was proved: by group and marker, by group only, or not at all. */
export type SurvivorCheck = "tree" | "group_only" | "skipped";

export interface TreeMember extends Survivor {
  /** Reached by a signal to the group. */
  readonly inGroup: boolean;
}

export interface TreeSearch {
  readonly members: readonly TreeMember[];
  readonly check: SurvivorCheck;
  /** Nothing else was ever created, so a second look cannot find more. */
  readonly final: boolean;
}

/** A running process and whatever came from it. */
export interface ProcessTree {
  /** Processes that are alive; a zombie is not. */
  search(): TreeSearch | Promise<TreeSearch>;
  /** Signals the group, and with `reach: "tree"` also the members found outside it. */
  signal(name: "SIGTERM" | "SIGKILL", members: readonly TreeMember[]): void;
}

/** What names a tree: its leader's pid (also the group's) and the mark in its environment. */
export interface TreeRoot {
  readonly pid: number;
  readonly marker: string;
  /** When it was started, on the monotonic clock. */
  readonly startedMs: number;
}

/** Whether any process of the group is left, zombies included. */
export function groupExists(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is one, and it is not ours to signal.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Signals the group if a member is in it, and the members outside it; an empty group is never signalled. */
export function signalTree(
  pid: number,
  name: "SIGTERM" | "SIGKILL",
  members: readonly TreeMember[],
): void {
  if (members.some((member) => member.inGroup)) sendSignal(-pid, name);
  for (const member of members) if (!member.inGroup) sendSignal(member.pid, name);
}

/** The tree of a child that may leave processes behind: the direct child alone. */
export function directTree(pid: number, leader: Leader): ProcessTree {
  return {
    search: () => {
      const members =
        leader.exit() === undefined ? [{ pid, command: "direct child", inGroup: true }] : [];
      return { members, check: "skipped", final: true };
    },
    signal: (name) => {
      if (leader.exit() === undefined) sendSignal(pid, name);
    },
  };
}

function sendSignal(target: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(target, name);
  } catch {
    // ESRCH: gone already. EPERM: not ours to signal; the search lists it as a survivor.
  }
}
