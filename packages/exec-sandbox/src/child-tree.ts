import { searchProc, procTree } from "./proc-tree.ts";
import { directTree, groupExists, signalTree, type ProcessTree } from "./process-tree.ts";
import { psTree } from "./ps-tree.ts";
import type { Child } from "./spawn-child.ts";

/** The tree of a child under a survivor policy, and the way to end it while this process exits. */
export interface ChildTree extends ProcessTree {
  killNow(): void;
}

export function childTree({ pid, leader, marker }: Child): ChildTree {
  if (marker === undefined) {
    const tree = directTree(pid, leader);
    return { ...tree, killNow: () => tree.signal("SIGKILL", []) };
  }
  const root = { pid, marker, startedMs: performance.now() };
  if (process.platform === "linux") {
    const killNow = (): void => signalTree(pid, "SIGKILL", searchProc(root).members);
    return { ...procTree(root), killNow };
  }
  const killNow = (): void => {
    const member = { pid, command: "process group", inGroup: true };
    if (leader.exit() === undefined || groupExists(pid)) signalTree(pid, "SIGKILL", [member]);
  };
  return { ...psTree(root), killNow };
}
