import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@postern/protocol";
import { type RunPlace, type RunSighting, sightRun } from "./domain/run-outcome.ts";
import type { PaneState } from "./domain/pane-state.ts";
import { cursorPlace, type OpenPane } from "./pane-input.ts";
import { judgeLook } from "./tmux/judge-pane.ts";
import { deepestRows } from "./domain/history-depth.ts";
import type { PaneLook } from "./tmux/panes.ts";
import type { WriteApp } from "./write-app.ts";

/** A run that was typed into a pane. */
export interface TypedRun {
  readonly marker: string;
  /** The pane as it was before. */
  readonly pane: OpenPane;
}

/** Why watching a run ended. */
export type RunEnd =
  /** The marker was seen, or, where the shell dropped it, its prompt. */
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

const firstPausesMs = [5, 10, 20, 40, 80];
const passwordMs = 200;
const settledMs = 300;

/** Looks at the pane again and again until the run has ended, needs the person, or the deadline is there. */
export async function watchRun(app: WriteApp, run: TypedRun, deadline: number): Promise<RunEnd> {
  const startedAt = performance.now();
  const streak = new Streak();
  for (let round = 0; ; round += 1) {
    const elapsed = performance.now() - startedAt;
    const pause = firstPausesMs[round] ?? (elapsed < 5_000 ? 100 : 250);
    await sleep(Math.max(1, Math.min(pause, deadline - performance.now())), undefined, {
      signal: app.closing,
    });
    const look = await lookAgain(app, run);
    if ("kind" in look) return look;
    const sighting = sight(look, run, false);
    if (sighting.ended) {
      const whole = await wholeSighting(app, run, look, sighting);
      return { kind: "completed", method: "marker", sighting: whole };
    }
    // The fast first rounds are for the marker alone: judging asks a second program.
    if (round >= firstPausesMs.length) {
      const judged = await judgeLook(look, app.readTtyMode, app.config.prompt_suffixes);
      const end = endByState(streak.of(judged.state), judged.state, look, run);
      if (end !== undefined) return end;
    }
    if (performance.now() >= deadline) return { kind: "timeout", sighting };
  }
}

/** How long a state has lasted without another one in between. */
class Streak {
  #state: PaneState | undefined;
  #since = 0;

  of(state: PaneState): number {
    if (state !== this.#state) {
      this.#state = state;
      this.#since = performance.now();
    }
    return performance.now() - this.#since;
  }
}

function endByState(
  lastedMs: number,
  state: PaneState,
  look: PaneLook,
  run: TypedRun,
): RunEnd | undefined {
  if (state === "password" && lastedMs >= passwordMs) {
    return { kind: "needs_user_input", sighting: sight(look, run, false) };
  }
  if (state === "continuation" && lastedMs >= settledMs) {
    return { kind: "incomplete_input", sighting: sight(look, run, true) };
  }
  // An interrupt makes a shell drop the rest of the line, and with it the marker.
  const hasMoved =
    JSON.stringify(cursorPlace({ ...run.pane, look })) !== JSON.stringify(cursorPlace(run.pane));
  if (state === "prompt" && hasMoved && lastedMs >= settledMs) {
    return { kind: "completed", method: "prompt", sighting: sight(look, run, true) };
  }
  return undefined;
}

/** Output that began above the captured part is captured again, from the top. */
async function wholeSighting(
  app: WriteApp,
  run: TypedRun,
  look: PaneLook,
  sighting: RunSighting,
): Promise<RunSighting> {
  if (sighting.isWhole || look.complete) return sighting;
  const deeper = await lookAgain(app, run, deepestRows);
  return "kind" in deeper ? sighting : sight(deeper, run, false);
}

function sight(look: PaneLook, { marker, pane }: TypedRun, atPrompt: boolean): RunSighting {
  const { facts } = look;
  const before = pane.look.facts;
  // Near its limit tmux drops the oldest rows without a word; short of it only clearing removes rows.
  const isTrimmed = facts.historySize >= facts.historyLimit - Math.ceil(facts.historyLimit / 10);
  const place: RunPlace = {
    marker,
    cursorRow: facts.historySize + facts.cursorY,
    cursorLineCounts: !atPrompt,
    startRow: isTrimmed ? 0 : before.historySize + before.cursorY,
    screenRow: isTrimmed ? 0 : facts.historySize,
  };
  return sightRun(look.lines, place);
}

/** Looks at the pane the run was typed into, wherever it stands now. */
async function lookAgain(
  app: WriteApp,
  { pane }: TypedRun,
  depth?: number,
): Promise<PaneLook | Extract<RunEnd, { kind: "pane_gone" | "unknown" }>> {
  const { paneId, panePid, height } = { ...pane.look.row };
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
