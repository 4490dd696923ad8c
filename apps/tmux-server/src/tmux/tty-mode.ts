import { runCommand } from "@postern/exec-sandbox";
import type { TtyMode } from "../domain/pane-state.ts";
import { programFinder } from "./program.ts";

/** Tells the mode of a terminal by its device file. */
export type ReadTtyMode = (tty: string) => Promise<TtyMode>;

export interface TtyModeOptions {
  /** Where PATH comes from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

const limitMs = 500;

/** Asks `stty`. Whatever goes wrong, the mode is unknown: a terminal nobody could look at is no prompt. */
export function createTtyMode({ environment, platform }: TtyModeOptions): ReadTtyMode {
  const finder = programFinder({ path: "stty", socket: "", timeoutMs: limitMs, environment });
  const fileFlag = platform === "linux" ? "-F" : "-f";
  return async (tty) => {
    if (!/^\/dev\/[\w./-]{1,200}$/.test(tty)) return "unknown";
    const program = await finder.find();
    if ("kind" in program) return "unknown";
    const command = { ...program, args: [fileFlag, tty, "-a"] };
    const outcome = await runCommand(command, { timeoutMs: limitMs, outputCapBytes: 8_192 });
    if (outcome.kind !== "exited" || outcome.exitCode !== 0) return "unknown";
    return ttyMode(outcome.stdout.head);
  };
}

function ttyMode(settings: string): TtyMode {
  const words = new Set(settings.split(/[\s;]+/));
  if (words.has("-icanon")) return "line_editor";
  if (!words.has("icanon")) return "unknown";
  return words.has("-echo") ? "password" : "line";
}
