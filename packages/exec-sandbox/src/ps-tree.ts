import { execFile } from "node:child_process";
import {
  groupExists,
  signalTree,
  type ProcessTree,
  type TreeMember,
  type TreeRoot,
  type TreeSearch,
} from "./process-tree.ts";

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly zombie: boolean;
  /** Start time as printed: with the pid it names one process. */
  readonly started: string;
  readonly command: string;
}

const PS = "/bin/ps";
const PS_LIMITS = { timeout: 1_000, maxBuffer: 16 * 1024 * 1024, env: { LC_ALL: "C" } };

/**
 * The tree on macOS: the group, and the descendants that a `ps` walk saw while their parents lived. A process
 * that left the group before the first walk is not found, so the proof is `group_only`.
 */
export function psTree(root: TreeRoot): ProcessTree {
  const outsiders = new Map<number, string>();

  async function search(): Promise<TreeSearch> {
    const inGroup = groupExists(root.pid);
    if (!inGroup && outsiders.size === 0) return { members: [], check: "group_only", final: false };
    const rows = await processTable();
    if (rows === undefined) {
      const members = inGroup ? [{ pid: root.pid, command: "process group", inGroup: true }] : [];
      return { members, check: "group_only", final: false };
    }
    const members = walk(rows, root.pid, outsiders);
    return { members, check: "group_only", final: false };
  }

  return { search, signal: (name, members) => signalTree(root.pid, name, members) };
}

/** Collects group and descendants, and notes the ones outside the group for the next walk. */
function walk(rows: readonly Row[], group: number, outsiders: Map<number, string>): TreeMember[] {
  const found = new Map<number, Row>();
  const isKnown = (row: Row): boolean =>
    row.group === group || outsiders.get(row.pid) === row.started || found.has(row.parent);
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const row of rows) if (isKnown(row)) found.set(row.pid, row);
  }
  outsiders.clear();
  const members: TreeMember[] = [];
  for (const { pid, command, started, zombie, group: own } of found.values()) {
    if (zombie) continue;
    if (own !== group) outsiders.set(pid, started);
    members.push({ pid, command, inGroup: own === group });
  }
  return members;
}

async function processTable(): Promise<readonly Row[] | undefined> {
  const columns = ["pid", "ppid", "pgid", "stat", "lstart", "comm"].flatMap((name) => [
    "-o",
    `${name}=`,
  ]);
  const text = await new Promise<string | undefined>((resolve) => {
    execFile(PS, ["-A", ...columns], PS_LIMITS, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
  return text?.split("\n").flatMap(parseRow);
}

function parseRow(line: string): readonly Row[] {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(
    line,
  );
  if (match === null) return [];
  const [, pid, parent, group, state = "", started = "", command = ""] = match;
  return [
    {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      zombie: state.startsWith("Z"),
      started,
      command: command.slice(command.lastIndexOf("/") + 1),
    },
  ];
}
