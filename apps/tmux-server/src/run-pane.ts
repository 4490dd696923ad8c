import { cutText, type InputOf, type JsonObject, ToolError } from "@postern/protocol";
import type { ToolContext } from "@postern/protocol/server";
import type { EffectResult, EffectSteps } from "@postern/receipts";
import { safeLine } from "@postern/terminal-text";
import type { executeAndWait } from "./contract/index.ts";
import { isAllowedCommand } from "./domain/command-allowlist.ts";
import type { KeyName } from "./domain/key-names.ts";
import type { RunMark } from "./domain/run-outcome.ts";
import { showLine } from "./domain/shown-line.ts";
import {
  cursorPlace,
  deliver,
  type InputWish,
  openPane,
  type OpenPane,
  promptAtOnce,
  quietPrompt,
  refusedWith,
} from "./pane-input.ts";
import { runAnswer, runSummary } from "./run-answer.ts";
import { markerOf, planRun, type RunPlan } from "./run-plan.ts";
import type { RunEnd } from "./run-sight.ts";
import { type WatchedRun, watchRun } from "./run-watch.ts";
import type { Turn } from "./pane-queue.ts";
import type { ShownActivity } from "./tmux/agent-sign.ts";
import type { WriteApp } from "./write-app.ts";
import { writeNote } from "./write-note.ts";

type RunArguments = InputOf<typeof executeAndWait>;

const interruptMs = 2_000;

/** The call a run belongs to. */
export interface RunCall {
  readonly requestId: string;
  readonly steps: EffectSteps;
  readonly reportProgress: ToolContext["reportProgress"];
}

/** Runs a command in the shell of a pane, once the pane is free and its shell waits. */
export async function runInPane(
  app: WriteApp,
  args: RunArguments,
  call: RunCall,
): Promise<EffectResult> {
  const { requestId, steps } = call;
  const deadline = performance.now() + args.timeout * 1_000;
  const wish = { ...args, takesTextPrompt: mayTakeTextPrompt(app, args) };
  const firstLook = await openPane(app, wish);
  refuseOutsideAllowlist(app, args);
  const turn = await waitForTurn(app, firstLook.look.row.paneId, deadline, steps.signal);
  try {
    const pane = args.wait_for_prompt
      ? await quietPrompt(app, wish, { deadline, signal: steps.signal })
      : await promptAtOnce(app, wish, turn.atOnce ? firstLook : undefined);
    const marker = markerOf(requestId);
    const plan = planRun(args, pane, { marker, platform: app.platform });
    await steps.arm({ note: noteOf(app, args, pane, plan.mark) });
    const shown = app.sign.begin(pane.look.row, "running");
    try {
      return await runPlanned(app, { args, wish, call, pane, plan, shown, deadline });
    } finally {
      shown.end();
    }
  } finally {
    turn.leave();
  }
}

interface PlannedRun {
  readonly args: RunArguments;
  readonly wish: InputWish;
  readonly call: RunCall;
  readonly pane: OpenPane;
  readonly plan: RunPlan;
  readonly shown: ShownActivity;
  readonly deadline: number;
}

/** Types what was planned and armed, and watches it. */
async function runPlanned(
  app: WriteApp,
  { args, wish, call, pane, plan, shown, deadline }: PlannedRun,
): Promise<EffectResult> {
  const startedAt = performance.now();
  const written = await deliver(app, wish, pane, {
    steps: plan.steps,
    unmovedSince: cursorPlace(pane),
    shown,
  });
  if (written.kind !== "applied") return written;
  const run = {
    pane,
    mark: plan.mark,
    takesTextPrompt: wish.takesTextPrompt ?? false,
    onProgress: progressTo(call, args.timeout),
  };
  const { end, interrupted } = await follow(app, args, run, deadline);
  if (end.kind === "unknown") {
    return {
      kind: "unknown",
      code: "outcome_unknown",
      message: `The command was typed, but its end could not be seen: ${end.reason}.`,
    };
  }
  const result = runAnswer(app, {
    args,
    requestId: call.requestId,
    look: pane.look,
    method: plan.mark.method,
    end,
    interrupted,
    durationMs: Math.round(performance.now() - startedAt),
  });
  return { kind: "applied", result: result as JsonObject, summary: runSummary(result) };
}

/** What is needed to find the run again, and the beginning of its command. */
function noteOf(
  app: WriteApp,
  { command }: RunArguments,
  { look }: OpenPane,
  mark: RunMark,
): JsonObject {
  return {
    ...writeNote(app, look.row, command),
    command: cutText(command, 512).text,
    ...(mark.method === "marker" && { typed_end: mark.typedEnd }),
  };
}

/** Where only listed commands may be typed, no program but a local shell may take the line. */
function mayTakeTextPrompt({ config }: WriteApp, { method, shell }: RunArguments): boolean {
  return config.allowed_commands === null && (method === "prompt" || shell !== undefined);
}

function refuseOutsideAllowlist({ config }: WriteApp, { command, shell }: RunArguments): void {
  const { allowed_commands: allowlist } = config;
  if (allowlist === null || (isAllowedCommand(command, allowlist) && shell === undefined)) return;
  throw new ToolError(
    "command_not_allowed",
    "With allowed_commands set, a command must be a whole entry, and shell is refused.",
  );
}

function progressTo({ reportProgress }: RunCall, timeout: number): WatchedRun["onProgress"] {
  return (seconds, { output, isWhole }) => {
    const last = output.at(-1);
    const text = last === undefined ? "" : safeLine(showLine(last, 4_096).text, { maxChars: 200 });
    const count = `${isWhole ? "" : "more than "}${String(output.length)}`;
    reportProgress(seconds, timeout, `${count} lines; last: ${text}`);
  };
}

async function waitForTurn(
  app: WriteApp,
  paneId: string,
  deadline: number,
  signal: AbortSignal,
): Promise<Turn> {
  const inTime = AbortSignal.timeout(Math.max(1, Math.ceil(deadline - performance.now())));
  try {
    const turn = await app.runs.enter(paneId, AbortSignal.any([signal, inTime]));
    if (turn !== undefined) return turn;
  } catch (error) {
    if (!inTime.aborted) throw error;
  }
  const busy = { code: "pane_busy", message: "Other runs still wait for this pane." } as const;
  throw refusedWith(busy, { retry_after_ms: 1_000 });
}

async function follow(
  app: WriteApp,
  args: RunArguments,
  run: WatchedRun,
  deadline: number,
): Promise<{ readonly end: RunEnd; readonly interrupted: boolean }> {
  const end = await watchRun(app, run, deadline);
  if (end.kind !== "timeout" || args.on_timeout === "leave") return { end, interrupted: false };
  const pressed = await deliver(app, args, run.pane, { steps: [press("C-c")] });
  if (pressed.kind !== "applied") return { end, interrupted: false };
  return { end: await watchRun(app, run, performance.now() + interruptMs), interrupted: true };
}

function press(key: "Enter" | "C-c"): {
  readonly kind: "press";
  readonly key: KeyName;
  readonly repeat: 1;
} {
  return { kind: "press", key: key as KeyName, repeat: 1 };
}
