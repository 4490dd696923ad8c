import { lacksLineEditor, shellDialect, shellName } from "./shell-line.ts";

/** What a pane is doing; the first that fits. */
export type PaneState =
  | "dead"
  | "copy_mode"
  | "alternate_screen"
  | "password"
  | "continuation"
  | "prompt"
  | "draft"
  | "running";

/** The mode of a pane's terminal: who edits the line, and whether typing shows. */
export type TtyMode = "line_editor" | "line" | "password" | "unknown";

export interface PaneEvidence {
  readonly dead: boolean;
  readonly inMode: boolean;
  readonly alternateScreen: boolean;
  /** The program in the foreground, as tmux names it. */
  readonly command: string;
  readonly tty: TtyMode;
  /** The plain text left of the cursor on its row. */
  readonly leftOfCursor: string;
  /** What stands right of the cursor, dim text (a suggestion) left out. */
  readonly rightOfCursor: string;
}

export interface PaneJudgement {
  readonly state: PaneState;
  readonly promptDetected: boolean;
  readonly promptSource: "shell" | "text" | "none";
  readonly commandRunning: boolean;
}

/** Judges what a pane is doing from the program, its terminal's mode and the text at the cursor. */
export function judgePane(
  evidence: PaneEvidence,
  promptSuffixes: readonly string[],
): PaneJudgement {
  const endsLikePrompt = promptSuffixes.some((suffix) => evidence.leftOfCursor.endsWith(suffix));
  const state = paneState(evidence, endsLikePrompt);
  const textPrompt =
    state === "running" &&
    shellDialect(evidence.command) === undefined &&
    endsLikePrompt &&
    isEmptyRight(evidence.rightOfCursor);
  return {
    state,
    promptDetected: state === "prompt" || textPrompt,
    promptSource: state === "prompt" ? "shell" : textPrompt ? "text" : "none",
    commandRunning: state === "running" || state === "password" || state === "alternate_screen",
  };
}

function paneState(evidence: PaneEvidence, endsLikePrompt: boolean): PaneState {
  if (evidence.dead) return "dead";
  if (evidence.inMode) return "copy_mode";
  if (evidence.alternateScreen) return "alternate_screen";
  if (asksForPassword(evidence)) return "password";
  if (!isIdleShell(evidence, endsLikePrompt)) return "running";
  if (isContinuation(evidence)) return "continuation";
  return endsLikePrompt && isEmptyRight(evidence.rightOfCursor) ? "prompt" : "draft";
}

/** A terminal in line mode without echo; a remote terminal's mode cannot be seen, so there its words count. */
function asksForPassword({ tty, command, leftOfCursor }: PaneEvidence): boolean {
  if (tty === "password") return true;
  if (tty === "line" || shellDialect(command) !== undefined) return false;
  return /pass(?:word|phrase|code)[^:]{0,200}:\s*$/i.test(leftOfCursor);
}

/** A script run by bash has bash in the foreground too, but leaves the terminal in line mode. */
function isIdleShell({ tty, command }: PaneEvidence, endsLikePrompt: boolean): boolean {
  if (shellDialect(command) === undefined) return false;
  if (tty === "line_editor") return true;
  return tty === "line" && lacksLineEditor(command) && endsLikePrompt;
}

const zshParserWords =
  /^(?:(?:quote|dquote|bquote|heredoc|heredocd|cmdsubst|cmdand|cmdor|pipe|errpipe|if|then|else|elif|elif-then|for|foreach|while|until|do|case|select|function|repeat|subsh|cursh|braceparam|math|mathsubst|array|cond|always) ?)+> $/;

function isContinuation({ command, leftOfCursor }: PaneEvidence): boolean {
  const shell = shellName(command);
  // fish goes on below its own prompt, which may be just this.
  if (leftOfCursor === "> ") return shell !== "fish";
  return shell === "zsh" && zshParserWords.test(leftOfCursor);
}

/** Nothing typed: blanks, or a right-hand prompt behind at least two of them. */
function isEmptyRight(text: string): boolean {
  return /^(?:\s*|\s{2,}.*)$/.test(text);
}
