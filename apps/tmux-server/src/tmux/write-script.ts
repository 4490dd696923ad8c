import type { WriteStep } from "../domain/text-steps.ts";

/** The pane a write is for, by ids alone. */
export interface PaneIdentity {
  readonly sessionId: string;
  readonly windowId: string;
  readonly paneId: string;
  readonly panePid: number;
}

/** Where the cursor was when a prompt was seen; a write may demand that it has not moved. */
export interface CursorPlace {
  readonly cursorX: number;
  readonly cursorY: number;
  readonly historySize: number;
}

export interface WriteOrder {
  readonly pane: PaneIdentity;
  readonly steps: readonly WriteStep[];
  readonly leaveCopyMode: boolean;
  readonly unmovedSince?: CursorPlace | undefined;
  /** What `@postern_agent` says from the moment of the write. */
  readonly sign: string;
  /** Names the paste buffer, so that it cannot be one of the user's. */
  readonly bufferName: string;
  /** From tmux 3.7 on `paste-buffer` changes bytes unless it is told not to. */
  readonly pasteUnchanged: boolean;
}

export const appliedAnswer = "postern applied";
export const refusedAnswer = "postern refused";

/** Everything the guard compares, as one string, so that one comparison decides. */
const pausedFlags = "#{@postern_all}#{@postern_session}#{@postern_window}#{@postern_pane}";
const inputFlags = "#{?pane_dead,dead,}#{?pane_input_off,off,}#{?pane_synchronized,synchronized,}";
const modeFlag = "#{?pane_in_mode,mode,}";
const identityFormat = "#{session_id} #{window_id} #{pane_id} #{pane_pid}";
const placeFormat = "#{cursor_x} #{cursor_y} #{history_size}";

/**
 * The commands of one guarded write, for `source-file -`. All of it is one command group, which tmux runs
 * without turning to any other client: what the guard saw is what the paste meets. A script that is cut
 * off anywhere is a syntax error and does nothing, so no buffer is left behind either.
 */
export function writeScript(order: WriteOrder): string {
  const { pane, unmovedSince } = order;
  const target = quote(targetOf(pane));
  const obstacles = inputFlags + (order.leaveCopyMode ? "" : modeFlag) + pausedFlags;
  const seen = [identityFormat, ...(unmovedSince ? [placeFormat] : []), `[${obstacles}]`];
  const expected = [identityText(pane), ...(unmovedSince ? [placeText(unmovedSince)] : []), "[]"];
  return [
    // Around it all, or a script cut off behind the first branch would be whole.
    "if-shell -F 1 {",
    `if-shell -F -t ${target} ${quote(`#{==:${seen.join(" ")},${expected.join(" ")}}`)} {`,
    `set-option -t ${quote(pane.sessionId)} @postern_agent ${quote(order.sign)}`,
    ...(order.leaveCopyMode ? [`copy-mode -q -t ${target}`] : []),
    ...order.steps.flatMap((step) => stepCommands(step, target, order)),
    `display-message -p ${quote(appliedAnswer)}`,
    "} {",
    `display-message -p ${quote(refusedAnswer)}`,
    "}",
    "}",
    "",
  ].join("\n");
}

/** A pane as tmux's `-t` takes it. */
export function targetOf(pane: PaneIdentity): string {
  return `${pane.sessionId}:${pane.windowId}.${pane.paneId}`;
}

function stepCommands(step: WriteStep, target: string, order: WriteOrder): readonly string[] {
  if (step.kind === "press") {
    return [`send-keys -t ${target} -N ${String(step.repeat)} ${step.key}`];
  }
  const unchanged = order.pasteUnchanged ? " -S" : "";
  return [
    `set-buffer -b ${order.bufferName} -- ${quote(step.text)}`,
    `paste-buffer -p -r -d${unchanged} -b ${order.bufferName} -t ${target}`,
  ];
}

/** Between single quotes tmux's parser takes all characters as they are, but still reads lines, so a newline stands apart. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`).replaceAll("\n", String.raw`'"\n"'`)}'`;
}

function identityText(pane: PaneIdentity): string {
  return `${pane.sessionId} ${pane.windowId} ${pane.paneId} ${String(pane.panePid)}`;
}

function placeText({ cursorX, cursorY, historySize }: CursorPlace): string {
  return `${String(cursorX)} ${String(cursorY)} ${String(historySize)}`;
}
