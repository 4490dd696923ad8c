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
import { systemCode } from "./system-error.ts";

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
  try {
    if (hasOwnProc()) return search(root, inGroup);
  } catch {
    // Out of descriptors, for one: what cannot be searched is not called empty.
  }
  return groupOnly(root.pid, inGroup);
}

function search(root: TreeRoot, inGroup: boolean): TreeSearch {
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
  const marked = readOf(pid, "environ")?.includes(mark) ?? false;
  if (!marked && !groupIsAlive) return undefined;
  // pid (comm) state ppid pgrp ...; the name may itself hold parentheses and spaces.
  const stat = readOf(pid, "stat")?.toString("utf8");
  if (stat === undefined) return undefined;
  const nameEnd = stat.lastIndexOf(")");
  const [state, , pgrp] = stat.slice(nameEnd + 2).split(" ");
  const inGroup = Number(pgrp) === group;
  if (state === "Z" || state === "X" || !(inGroup || marked)) return undefined;
  return { pid, command: stat.slice(stat.indexOf("(") + 1, nameEnd), inGroup };
}

/** A file of a process; undefined when the process is gone or the file is not ours to read. */
function readOf(pid: number, file: "environ" | "stat"): Buffer | undefined {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`);
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(systemCode(error))) return undefined;
    throw error;
  }
}
