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
  /** The plain text left of the cursor in its line. */
  readonly leftOfCursor: string;
  /** What stands right of the cursor; dim text (a suggestion) counts as blanks. */
  readonly rightOfCursor: string;
  /** Columns from the cursor to the right edge of the pane. */
  readonly columnsRight: number;
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
  const endsLikePrompt = isBarePrompt(evidence.leftOfCursor, promptSuffixes);
  const state = paneState(evidence, endsLikePrompt);
  const textPrompt =
    state === "running" &&
    shellDialect(evidence.command) === undefined &&
    endsLikePrompt &&
    isEmptyRight(evidence);
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
  if (asksForPassword(evidence, endsLikePrompt)) return "password";
  if (!isIdleShell(evidence, endsLikePrompt)) return "running";
  if (isContinuation(evidence)) return "continuation";
  return endsLikePrompt && isEmptyRight(evidence) ? "prompt" : "draft";
}

/**
 * Whether the text ends in a prompt and nothing was typed behind it. A suffix that occurs earlier with text after it
 * is taken for the prompt and the rest for a draft, whatever the draft ends in.
 */
function isBarePrompt(text: string, suffixes: readonly string[]): boolean {
  const ends = suffixes.flatMap((suffix) => {
    const start = text.indexOf(suffix);
    return start === -1 ? [] : [start + suffix.length];
  });
  return ends.length > 0 && text.slice(Math.min(...ends)).trim() === "";
}

const passwordWords =
  /(?:pass(?:word|phrase|code|wort)|passwd|\bpin\b|\botp\b|(?:verification|one-time|security) (?:code|password)|mot de passe|contrase|senha|parola|wachtwoord|has\u0142o|heslo|l\u00f6senord|\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u30d1\u30b9\u30ef\u30fc\u30c9|\uc554\ud638|\ube44\ubc00\ubc88\ud638).{0,200}[:\uff1a?]\s*[*\u2022\u25cf]*\s*$/iu;

/**
 * A terminal in line mode without echo. A program that reads keys itself (ssh, sudo with stars, a silent read by the
 * shell) cannot be seen by its mode, so there its words count.
 */
function asksForPassword({ tty, leftOfCursor }: PaneEvidence, endsLikePrompt: boolean): boolean {
  if (tty === "password") return true;
  return tty !== "line" && !endsLikePrompt && passwordWords.test(leftOfCursor);
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

/** Nothing typed: blanks, or a right-hand prompt, which ends at the edge (or a column or two before it). */
function isEmptyRight({ rightOfCursor, columnsRight }: PaneEvidence): boolean {
  const text = rightOfCursor.trimEnd();
  if (text === "") return true;
  return /^\s{2}/.test(text) && text.length <= columnsRight && text.length >= columnsRight - 2;
}
