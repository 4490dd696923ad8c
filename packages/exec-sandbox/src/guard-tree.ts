import { procTree } from "./proc-tree.ts";
import { psTree } from "./ps-tree.ts";
import { endTree, type StopStep, type TreeEnd } from "./tree-end.ts";

/** Ends the tree of a process whose starter is gone, by the steps the starter would have taken. */
export async function guardTree(pid: number, marker: string, steps: string): Promise<TreeEnd> {
  // A mark that fits everything, or a pid that names our own group, would end the wrong processes.
  if (!/^[0-9a-f]{32}$/.test(marker) || !(Number.isSafeInteger(pid) && pid > 1)) {
    throw new TypeError("The guard was started without a pid or a mark.");
  }
  // The starter's clock is unknown, so every pid is looked at.
  const root = { pid, marker, startedMs: Number.NEGATIVE_INFINITY };
  const tree = process.platform === "linux" ? procTree(root) : psTree(root);
  return await endTree(tree, { steps: JSON.parse(steps) as StopStep[], survivors: "kill" });
}
