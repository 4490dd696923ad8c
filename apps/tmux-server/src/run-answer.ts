import type { InputOf, JsonObject, OutputOf } from "@postern/protocol";
import type { executeAndWait } from "./contract/index.ts";
import { cursorHere } from "./domain/cursor-here.ts";
import type { RunMark, RunSighting } from "./domain/run-outcome.ts";
import { type ShownLine, showLine } from "./domain/shown-line.ts";
import { targetName } from "./domain/target.ts";
import type { RunEnd } from "./run-sight.ts";
import type { PaneLook } from "./tmux/panes.ts";
import type { WriteApp } from "./write-app.ts";

type RunAnswer = OutputOf<typeof executeAndWait>;

/** A run that has ended, as far as it will be watched. */
export interface FinishedRun {
  readonly args: Pick<InputOf<typeof executeAndWait>, "command" | "max_lines" | "max_bytes">;
  readonly requestId: string;
  /** The look from which its caller reads on. */
  readonly look: PaneLook;
  readonly method: RunMark["method"];
  readonly end: Exclude<RunEnd, { kind: "unknown" }>;
  readonly interrupted: boolean;
  /** `null`: nobody was there to see it end. */
  readonly durationMs: number | null;
}

/** What a caller is told about a run. */
export function runAnswer(app: WriteApp, run: FinishedRun): RunAnswer {
  const { args, look, end } = run;
  const sighting = end.kind === "pane_gone" ? undefined : end.sighting;
  const { shown, skipped } = newest(sighting?.output ?? [], {
    maxLines: args.max_lines ?? app.config.buffer_size,
    maxBytes: args.max_bytes,
  });
  return {
    target: targetName(look.row),
    pane_id: look.row.paneId,
    command: args.command,
    outcome: end.kind,
    exit_code: exitCodeOf(end),
    output_lines: shown.map(({ text }) => text),
    output_skipped: sighting?.isWhole ? skipped : null,
    truncated: sighting?.isWhole === false || skipped > 0 || shown.some(({ cut }) => cut),
    ends_without_newline: sighting?.endsWithoutNewline ?? false,
    method: end.kind === "completed" ? end.method : run.method,
    interrupted: run.interrupted,
    duration_ms: run.durationMs,
    requestId: run.requestId,
    cursor: cursorHere(look),
    timestamp: app.now().toISOString(),
  };
}

/** What is kept of an answer that is too large to be kept whole. */
export function runSummary(answer: RunAnswer): JsonObject {
  const skipped = answer.output_skipped;
  return {
    ...answer,
    command: answer.command.slice(0, 512),
    output_lines: [],
    output_skipped: skipped === null ? null : skipped + answer.output_lines.length,
    truncated: true,
  };
}

function exitCodeOf(end: FinishedRun["end"]): number | null {
  if (end.kind === "pane_gone") return end.exitStatus;
  return end.kind === "completed" ? end.sighting.exitCode : null;
}

/** The newest lines that fit both limits, cleaned, and how many older ones were left out. */
function newest(
  lines: RunSighting["output"],
  { maxLines, maxBytes }: { readonly maxLines: number; readonly maxBytes: number },
): { readonly shown: readonly ShownLine[]; readonly skipped: number } {
  const shown: ShownLine[] = [];
  let bytes = 0;
  for (const line of lines.slice(-maxLines).toReversed()) {
    const next = showLine(line, maxBytes);
    if (shown.length > 0 && bytes + next.bytes > maxBytes) break;
    bytes += next.bytes;
    shown.push(next);
  }
  return { shown: shown.toReversed(), skipped: lines.length - shown.length };
}
