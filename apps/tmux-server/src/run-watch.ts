import { setTimeout as sleep } from "node:timers/promises";
import { type PromptWish, promptRefusal } from "./domain/prompt-refusal.ts";
import type { RunMark, RunSighting } from "./domain/run-outcome.ts";
import { asksForRest } from "./domain/text-prompt.ts";
import type { OpenPane } from "./pane-input.ts";
import { lookAgain, type RunEnd, sight, type TypedRun, wholeSighting } from "./run-sight.ts";
import { judgeLook } from "./tmux/judge-pane.ts";
import type { WriteApp } from "./write-app.ts";

/** A run, and what is watched for besides its marker. */
export interface WatchedRun extends TypedRun, PromptWish {
  /** Told every five seconds what has been printed so far. */
  readonly onProgress: (seconds: number, sighting: RunSighting) => void;
}

const firstPausesMs = [5, 10, 20, 40, 80];
const passwordMs = 200;
const settledMs = 300;
const promptMs = 150;
const progressMs = 5_000;
const comparedRows = 64;

/** Looks at the pane again and again until the run has ended, needs the person, or the deadline is there. */
export async function watchRun(app: WriteApp, run: WatchedRun, deadline: number): Promise<RunEnd> {
  const startedAt = performance.now();
  const streak = new Streak();
  let reports = 0;
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
      const whole = await wholeSighting(app, run, look, false);
      return { kind: "completed", method: "marker", sighting: whole };
    }
    // The fast first rounds are for the marker alone: judging asks a second program.
    if (run.mark.method === "prompt" || round >= firstPausesMs.length) {
      const judged = await judgeLook(look, app.readTtyMode, app.config.prompt_suffixes);
      const end = endByStillness(streak.of(stillness({ look, judged }, run)), run.mark.method);
      if (end !== undefined) {
        const atPrompt = end.kind !== "needs_user_input";
        return { ...end, sighting: await wholeSighting(app, run, look, atPrompt) };
      }
    }
    if (elapsed >= (reports + 1) * progressMs) {
      reports += 1;
      run.onProgress(Math.round(elapsed / 1_000), sighting);
    }
    if (performance.now() >= deadline) return { kind: "timeout", sighting };
  }
}

type Stillness = "password" | "continuation" | "prompt" | undefined;

/** How long a state has lasted without another one in between. */
class Streak {
  #state: Stillness;
  #since = 0;

  of(state: Stillness): { readonly state: Stillness; readonly lastedMs: number } {
    if (state !== this.#state) {
      this.#state = state;
      this.#since = performance.now();
    }
    return { state, lastedMs: performance.now() - this.#since };
  }
}

/** What the pane waits for, if it waits for somebody. */
function stillness(now: OpenPane, run: WatchedRun): Stillness {
  const { judged } = now;
  if (judged.state === "password" || judged.state === "continuation") return judged.state;
  if (run.takesTextPrompt && judged.state === "running") {
    if (asksForRest(judged.line.left, run.pane.judged.line.left)) return "continuation";
  }
  const isPrompt = promptRefusal(judged, run) === undefined;
  return isPrompt && hasMoved(now, run.pane) ? "prompt" : undefined;
}

/** Whether the cursor has left its line since the command was typed, also where the screen only scrolls. */
function hasMoved(now: OpenPane, before: OpenPane): boolean {
  const row = ({ look: { facts } }: OpenPane): number => facts.historySize + facts.cursorY;
  if (row(now) !== row(before)) return true;
  const above = ({ look: { rows, firstRow, facts } }: OpenPane): readonly string[] =>
    rows.slice(0, facts.historySize + facts.cursorY - firstRow).slice(-comparedRows);
  const seen = above(now);
  const known = above(before);
  const shared = Math.min(seen.length, known.length);
  return shared > 0 && seen.slice(-shared).join("\n") !== known.slice(-shared).join("\n");
}

/** An end that shows by what the pane waits for. */
type Waited =
  | { readonly kind: "completed"; readonly method: "prompt" }
  | { readonly kind: "needs_user_input" | "incomplete_input" };

function endByStillness(
  { state, lastedMs }: { readonly state: Stillness; readonly lastedMs: number },
  method: RunMark["method"],
): Waited | undefined {
  switch (state) {
    case "password":
      return lastedMs >= passwordMs ? { kind: "needs_user_input" } : undefined;
    case "continuation":
      return lastedMs >= settledMs ? { kind: "incomplete_input" } : undefined;
    case "prompt":
      // An interrupt makes a shell drop the rest of the line, and with it the marker.
      return lastedMs >= (method === "prompt" ? promptMs : settledMs)
        ? { kind: "completed", method: "prompt" }
        : undefined;
    case undefined:
      return undefined;
  }
}
