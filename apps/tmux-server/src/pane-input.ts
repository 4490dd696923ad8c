import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, ToolError } from "@postern/protocol";
import type { EffectResult } from "@postern/receipts";
import { safeLine } from "@postern/terminal-text";
import type { PaneAddress } from "./contract/index.ts";
import { shellDialect } from "./domain/shell-line.ts";
import { promptRefusal, type PromptWish } from "./domain/prompt-refusal.ts";
import { isSamePane } from "./domain/target.ts";
import { inputRefusal, type WriteRefusal } from "./domain/write-refusal.ts";
import { isSomebodyTyping } from "./tmux/clients.ts";
import type { ShownActivity } from "./tmux/agent-sign.ts";
import { type JudgedPane, judgeLook } from "./tmux/judge-pane.ts";
import type { PaneLook } from "./tmux/panes.ts";
import { type PaneWrite, writePane } from "./tmux/write-pane.ts";
import type { CursorPlace } from "./tmux/write-script.ts";
import type { WriteApp } from "./write-app.ts";

/** Where a caller wants to write, and whether copy mode may be left for it. */
export interface InputWish extends PaneAddress, PromptWish {
  readonly leave_copy_mode: boolean;
}

/** A pane that can take input, as one look showed it. */
export interface OpenPane {
  readonly look: PaneLook;
  readonly judged: JudgedPane;
}

/** Enough history for a reading position that is found again. */
const lookDepth = 64;

/** Looks at the pane. @throws ToolError when it cannot safely take input */
export async function openPane(app: WriteApp, wish: InputWish): Promise<OpenPane> {
  const look = await app.panes.look(wish, lookDepth);
  const refusal = inputRefusal(look.facts, {
    ownPaneId: app.ownPaneId,
    leaveCopyMode: wish.leave_copy_mode,
  });
  if (refusal !== undefined) throw refusedWith(refusal);
  // Behind a copy mode that will be left the pane is judged as if it were left already.
  const seen = { ...look, facts: { ...look.facts, inMode: false } };
  const judged = await judgeLook(seen, app.readTtyMode, app.config.prompt_suffixes);
  return { look, judged };
}

/**
 * Looks for an empty prompt. A shell that has just run something gets a moment to print it.
 * @throws ToolError with the reason when there is none
 */
export async function promptAtOnce(
  app: WriteApp,
  wish: InputWish,
  firstLook?: OpenPane,
): Promise<OpenPane> {
  const giveUpAt = performance.now() + 300;
  for (let pane = firstLook; ; pane = undefined) {
    pane ??= await openPane(app, wish);
    const refusal = promptRefusal(pane.judged, wish);
    if (refusal === undefined) return pane;
    const isPrompter =
      wish.takesTextPrompt || shellDialect(pane.look.facts.currentCommand) !== undefined;
    const isBetween = isPrompter && pane.judged.line.left === "";
    if (!isBetween || performance.now() > giveUpAt) {
      throw refusedWith(refusal, { ...describe(pane), retry_after_ms: 1_000 });
    }
    await sleep(10);
  }
}

export interface PromptWait {
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/**
 * Waits for a prompt that stays as it is for 100 ms while nobody types.
 * @throws ToolError `prompt_timeout`, or why the pane can take no input at all
 */
export async function quietPrompt(
  app: WriteApp,
  wish: InputWish,
  wait: PromptWait,
): Promise<OpenPane> {
  const waiting = app.sign.show(await app.panes.resolve(wish), "waiting");
  try {
    return await pollPrompt(app, wish, wait);
  } finally {
    waiting.end();
  }
}

async function pollPrompt(
  app: WriteApp,
  wish: InputWish,
  { deadline, signal }: PromptWait,
): Promise<OpenPane> {
  let seen: { readonly place: string; readonly at: number } | undefined;
  let pauseMs = 50;
  for (;;) {
    const pane = await openPane(app, wish);
    const now = performance.now();
    const place = JSON.stringify([pane.look.row.paneId, cursorPlace(pane)]);
    if (promptRefusal(pane.judged, wish)) seen = undefined;
    else if (seen?.place !== place) seen = { place, at: now };
    else if (
      now - seen.at >= 100 &&
      !(await isSomebodyTyping(app.tmux, pane.look.row, app.now()))
    ) {
      return pane;
    }
    if (now + pauseMs > deadline) {
      const data = { ...describe(pane), retry_after_ms: 1_000 };
      throw refusedWith(
        { code: "prompt_timeout", message: "No quiet prompt appeared in time." },
        data,
      );
    }
    await sleep(pauseMs, undefined, { signal });
    pauseMs = seen === undefined ? Math.min(250, pauseMs + 25) : 50;
  }
}

/** Where the cursor stood; a write that needs the prompt demands that it has not moved since. */
export function cursorPlace({ look: { facts } }: OpenPane): CursorPlace {
  const { cursorX, cursorY, historySize } = facts;
  return { cursorX, cursorY, historySize };
}

/** Writes into the pane that was looked at. Anything but `applied` is the outcome to record. */
export async function deliver(
  app: WriteApp,
  wish: InputWish,
  pane: OpenPane,
  write: Pick<PaneWrite, "steps" | "unmovedSince"> & { readonly shown?: ShownActivity },
): Promise<{ readonly kind: "applied" } | Exclude<EffectResult, { kind: "applied" }>> {
  const { steps, unmovedSince, shown } = write;
  const typing = shown ?? app.sign.begin(pane.look.row, "typing");
  const outcome = await writePane(app.tmux, {
    steps,
    unmovedSince,
    sign: typing.text,
    pane: pane.look.row,
    leaveCopyMode: wish.leave_copy_mode,
  });
  if (shown === undefined) typing.end({ linger: true });
  if (outcome.kind !== "refused") return outcome;
  try {
    const now = await openPane(app, wish);
    const refusal = isSamePane(now.look.row, pane.look.row)
      ? ((write.unmovedSince && promptRefusal(now.judged, wish)) ?? movedOn)
      : replaced;
    return { kind: "refused", ...refusal, data: { ...describe(now), retry_after_ms: 100 } };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { kind: "refused", code: error.code, message: error.message, data: error.data };
  }
}

const movedOn: WriteRefusal = {
  code: "pane_busy",
  message: "The pane changed at the very moment of the write; nothing was sent.",
};

const replaced: WriteRefusal = {
  code: "pane_not_found",
  message: "The pane was closed or replaced during the call; nothing was sent.",
};

function describe({ judged }: OpenPane): JsonObject {
  const text = (judged.line.left + judged.line.right).trim();
  return { pane_state: judged.state, line: text === "" ? "" : safeLine(text, { maxChars: 200 }) };
}

/** A refusal as the error a handler throws. */
export function refusedWith({ code, message }: WriteRefusal, data: JsonObject = {}): ToolError {
  return new ToolError(code, message, { data });
}
