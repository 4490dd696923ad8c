import { readdirSync, readFileSync } from "node:fs";
import {
  groupExists,
  signalTree,
  type ProcessTree,
  type TreeMember,
  type TreeRoot,
  type TreeSearch,
} from "./process-tree.ts";
import { hasOwnProc } from "./platform.ts";

// The pid counter cannot go once round in this time, so pids above the leader's are the younger processes.
const COUNTER_TRUST_MS = 2_000;

/** The tree on Linux: the group, and every younger process that carries the run's mark. */
export function procTree(root: TreeRoot): ProcessTree {
  return {
    search: () => searchProc(root),
    signal: (name, members) => signalTree(root.pid, name, members),
  };
}

/** Looks once through `/proc`; synchronous, so that it also works while this process exits. */
export function searchProc(root: TreeRoot): TreeSearch {
  const inGroup = groupExists(root.pid);
  if (!hasOwnProc()) return groupOnly(root.pid, inGroup);

  const newest = newestPid();
  const trusted = newest >= root.pid && performance.now() - root.startedMs < COUNTER_TRUST_MS;
  if (trusted && newest === root.pid && !inGroup)
    return { members: [], check: "tree", final: true };

  const mark = Buffer.from(root.marker);
  const members: TreeMember[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || (trusted && pid < root.pid)) continue;
    const member = examine(pid, root.pid, inGroup, mark);
    if (member !== undefined) members.push(member);
  }
  return { members, check: "tree", final: false };
}

function groupOnly(pid: number, inGroup: boolean): TreeSearch {
  const members = inGroup ? [{ pid, command: "process group", inGroup: true }] : [];
  return { members, check: "group_only", final: false };
}

/** The pid given out last in this pid namespace. */
function newestPid(): number {
  const [, , , , newest] = readFileSync("/proc/loadavg", "latin1").split(" ");
  return Number(newest);
}

function examine(
  pid: number,
  group: number,
  groupIsAlive: boolean,
  mark: Buffer,
): TreeMember | undefined {
  try {
    const marked = readFileSync(`/proc/${String(pid)}/environ`).includes(mark);
    if (!marked && !groupIsAlive) return undefined;
    return describe(pid, group, marked);
  } catch {
    // Gone meanwhile, or another user's: then its group alone can tell.
    return groupIsAlive ? describeSafely(pid, group) : undefined;
  }
}

function describeSafely(pid: number, group: number): TreeMember | undefined {
  try {
    return describe(pid, group, false);
  } catch {
    return undefined;
  }
}

function describe(pid: number, group: number, marked: boolean): TreeMember | undefined {
  // pid (comm) state ppid pgrp ...; the name may itself hold parentheses and spaces.
  const stat = readFileSync(`/proc/${String(pid)}/stat`, "utf8");
  const nameEnd = stat.lastIndexOf(")");
  const [state, , pgrp] = stat.slice(nameEnd + 2).split(" ");
  if (state === "Z" || state === "X") return undefined;
  const inGroup = Number(pgrp) === group;
  if (!inGroup && !marked) return undefined;
  return { pid, command: stat.slice(stat.indexOf("(") + 1, nameEnd), inGroup };
}
