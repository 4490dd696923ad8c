import { ToolError } from "@postern/protocol";
import { deepestRows } from "./domain/history-depth.ts";
import { type RunMark, type RunSighting, sightRun } from "./domain/run-outcome.ts";
import type { OpenPane } from "./pane-input.ts";
import type { PaneLook } from "./tmux/panes.ts";
import type { WriteApp } from "./write-app.ts";

/** A run that was typed into a pane. */
export interface TypedRun {
  readonly mark: RunMark;
  /** The pane as it was before. */
  readonly pane: OpenPane;
}

/** Why watching a run ended. */
export type RunEnd =
  /** The marker was seen, or, where there is none or the shell dropped it, a prompt. */
  | {
      readonly kind: "completed";
      readonly method: "marker" | "prompt";
      readonly sighting: RunSighting;
    }
  | {
      readonly kind: "timeout" | "needs_user_input" | "incomplete_input";
      readonly sighting: RunSighting;
    }
  | { readonly kind: "pane_gone"; readonly exitStatus: number | null }
  | { readonly kind: "unknown"; readonly reason: string };

/** What a look shows of a run. `atPrompt`: the cursor's line is a prompt, and no output. */
export function sight(look: PaneLook, { mark, pane }: TypedRun, atPrompt: boolean): RunSighting {
  const { facts } = look;
  const before = pane.look.facts;
  // Near its limit tmux drops the oldest rows without a word; short of it only clearing removes rows.
  const isTrimmed = facts.historySize >= facts.historyLimit - Math.ceil(facts.historyLimit / 10);
  const cursorRow = facts.historySize + facts.cursorY;
  const screenRow = isTrimmed ? 0 : facts.historySize;
  const typedRow = before.historySize + before.cursorY;
  const startRow = typedRow > cursorRow ? screenRow : typedRow;
  return sightRun(look.lines, mark, {
    cursorRow,
    cursorLineCounts: !atPrompt,
    startRow: isTrimmed ? undefined : startRow,
    screenRow,
  });
}

/** What a look shows of a run whose output may have begun above the captured part: then from the top. */
export async function wholeSighting(
  app: WriteApp,
  run: TypedRun,
  look: PaneLook,
  atPrompt: boolean,
): Promise<RunSighting> {
  const sighting = sight(look, run, atPrompt);
  if (sighting.isWhole || look.complete) return sighting;
  const deeper = await lookAgain(app, run, deepestRows);
  return "kind" in deeper ? sighting : sight(deeper, run, atPrompt);
}

/** Looks at the pane the run was typed into, wherever it stands now. */
export async function lookAgain(
  app: WriteApp,
  { pane }: TypedRun,
  depth?: number,
): Promise<PaneLook | Extract<RunEnd, { kind: "pane_gone" | "unknown" }>> {
  const { paneId, panePid, height } = pane.look.row;
  try {
    const look = await app.panes.look({ pane_id: paneId }, depth ?? height + 200);
    if (look.facts.panePid !== panePid) return { kind: "pane_gone", exitStatus: null };
    if (!look.facts.dead) return look;
    return { kind: "pane_gone", exitStatus: look.facts.exitStatus ?? null };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const isGone = error.code === "pane_not_found" && !(await isListed(app, paneId));
    return isGone
      ? { kind: "pane_gone", exitStatus: null }
      : { kind: "unknown", reason: error.code };
  }
}

/** Whether the pane still is anywhere, in a session that may be seen or not. */
async function isListed(app: WriteApp, paneId: string): Promise<boolean> {
  try {
    return (await app.panes.list()).some((row) => row.paneId === paneId);
  } catch (error) {
    if (error instanceof ToolError) return true;
    throw error;
  }
}
