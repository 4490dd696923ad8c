import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

// The end of output is told before the exit that caused it; between them lies the scheduler of a busy machine.
const SOON_MS = process.platform === "linux" ? 8 : 50;
const ENDING_MS = 1_000;

/** Waits for an exit that is under way: briefly, or longer where the process is seen to have let go of its files. */
export async function awaitExitUnderWay(pid: number, exitHandled: Promise<void>): Promise<void> {
  const exited = exitHandled.then(() => true);
  if (await Promise.race([exited, setTimeout(SOON_MS, false)])) return;
  if (hasNoFiles(pid)) await Promise.race([exited, setTimeout(ENDING_MS, false, { ref: false })]);
}

/** Linux closes a dying process's descriptors before it reports the exit; a live server still has others. */
function hasNoFiles(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return readdirSync(`/proc/${String(pid)}/fd`).length === 0;
  } catch {
    return true;
  }
}
