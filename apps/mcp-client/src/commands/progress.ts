import type { Progress } from "../client/options.ts";
import { quoteLine } from "./escape.ts";

/** Prints progress: at most 4 lines a second to a terminal, else one every 2 seconds. */
export function progressPrinter(o: {
  hint(text: string): void;
  readonly stderrIsTerminal: boolean;
}): (progress: Progress) => void {
  const everyMs = o.stderrIsTerminal ? 250 : 2_000;
  let last = -Infinity;
  return ({ progress, total, message }) => {
    const now = performance.now();
    if (now - last < everyMs) return;
    last = now;
    const of = total === undefined ? "" : `/${String(total)}`;
    const words = message === undefined ? "" : ` ${quoteLine(message)}`;
    o.hint(`progress ${String(progress)}${of}${words}`);
  };
}
