import { randomBytes } from "node:crypto";
import type { EffectResult } from "@postern/receipts";
import { isAtLeast } from "../domain/tmux-version.ts";
import type { Tmux } from "./run-tmux.ts";
import { tmuxError, type TmuxOutcome } from "./tmux-outcome.ts";
import { appliedAnswer, refusedAnswer, type WriteOrder, writeScript } from "./write-script.ts";

/** What became of a guarded write. */
export type WriteOutcome =
  | { readonly kind: "applied" }
  /** The guard did not let it through; nothing reached the pane. */
  | { readonly kind: "refused" }
  | Extract<EffectResult, { kind: "not_applied" | "unknown" }>;

export type PaneWrite = Omit<WriteOrder, "bufferName" | "pasteUnchanged">;

/** Writes into a pane in one tmux invocation that holds the guard, the text and its own clean-up. */
export async function writePane(tmux: Tmux, write: PaneWrite): Promise<WriteOutcome> {
  const version = await tmux.version();
  if ("kind" in version) return notApplied(version);
  const script = writeScript({
    ...write,
    bufferName: `postern-${randomBytes(8).toString("hex")}`,
    pasteUnchanged: isAtLeast(version, 3, 7),
  });
  return writeOutcome(await tmux.run(["source-file", "-"], { stdin: Buffer.from(script) }));
}

/** Only tmux's own word proves that a write took place or did not; silence leaves it open. */
function writeOutcome(outcome: TmuxOutcome): WriteOutcome {
  switch (outcome.kind) {
    case "answered":
    case "refused": {
      const lines = outcome.stdout.toString().split("\n");
      if (lines.includes(appliedAnswer)) return { kind: "applied" };
      if (lines.includes(refusedAnswer)) return { kind: "refused" };
      return unknown("tmux did not say whether the text was typed.");
    }
    case "not_found":
    case "too_old":
    case "too_many":
    case "not_started":
      return notApplied(outcome);
    case "no_server":
      return outcome.wasReached ? unknown(tmuxError(outcome).message) : notApplied(outcome);
    case "timed_out":
    case "too_large":
    case "lost":
      return unknown(tmuxError(outcome).message);
  }
}

function notApplied(outcome: Exclude<TmuxOutcome, { kind: "answered" }>): WriteOutcome {
  return { kind: "not_applied", code: "not_started", message: tmuxError(outcome).message };
}

function unknown(message: string): WriteOutcome {
  return { kind: "unknown", code: "outcome_unknown", message };
}
