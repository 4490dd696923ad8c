import { type JsonObject, ToolError } from "@postern/protocol";
import type { EffectResult, Receipt } from "@postern/receipts";
import { z } from "zod";
import { deepestRows } from "./domain/history-depth.ts";
import { sightRun } from "./domain/run-outcome.ts";
import { runAnswer, runSummary } from "./run-answer.ts";
import { markerOf } from "./run-plan.ts";
import type { PaneLook } from "./tmux/panes.ts";
import type { WriteApp } from "./write-app.ts";

/** What the note of a run that prints a marker holds. */
const noteSchema = z.object({
  pane_id: z.string(),
  pane_pid: z.number(),
  socket: z.string(),
  command: z.string(),
  typed_end: z.string(),
});

const maxBytes = 131_072;

/**
 * Looks once in the pane for the marker of a run whose end nobody saw. Only the marker is evidence: without it the
 * command may still run, or its pane may have been cleared.
 */
export async function runEvidence(
  app: WriteApp,
  { requestId, data }: Receipt,
): Promise<EffectResult | "undecided"> {
  const note = noteSchema.safeParse(data);
  if (!note.success || note.data.socket !== app.tmux.socket) return "undecided";
  const { pane_id: paneId, pane_pid: panePid, command, typed_end: typedEnd } = note.data;
  const look = await visiblePane(app, paneId);
  if (look?.facts.panePid !== panePid) return "undecided";
  const mark = { method: "marker", marker: markerOf(requestId), typedEnd } as const;
  const sighting = sightRun(look.lines, mark, {
    cursorRow: look.facts.historySize + look.facts.cursorY,
    cursorLineCounts: false,
    startRow: undefined,
    // Whose output stands there cannot be known once the typed line is gone.
    screenRow: Infinity,
  });
  if (!sighting.ended) return "undecided";
  const result = runAnswer(app, {
    args: { command, max_bytes: maxBytes },
    requestId,
    look,
    method: "marker",
    end: { kind: "completed", method: "marker", sighting },
    interrupted: false,
    durationMs: null,
  });
  return { kind: "applied", result: result as JsonObject, summary: runSummary(result) };
}

/** The pane, if it is still there and may be looked at. */
async function visiblePane(app: WriteApp, paneId: string): Promise<PaneLook | undefined> {
  try {
    return await app.panes.look({ pane_id: paneId }, deepestRows);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
