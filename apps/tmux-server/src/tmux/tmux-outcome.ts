import { ToolError } from "@postern/protocol";
import { safeLine } from "@postern/terminal-text";

/** What became of one tmux invocation. */
export type TmuxOutcome =
  | { readonly kind: "answered"; readonly stdout: Buffer }
  /** tmux ran and refused one of the commands; what ran before it is in `stdout`. */
  | { readonly kind: "refused"; readonly stdout: Buffer; readonly message: string }
  /** `wasReached`: the server ended while it worked on the commands. */
  | { readonly kind: "no_server"; readonly socket: string; readonly wasReached: boolean }
  | { readonly kind: "timed_out"; readonly limitMs: number }
  | { readonly kind: "too_large"; readonly limitBytes: number }
  | { readonly kind: "not_found"; readonly path: string }
  | { readonly kind: "too_old"; readonly version: string }
  | { readonly kind: "too_many" }
  | { readonly kind: "not_started"; readonly code: string }
  /** tmux died of a signal, or whether it started cannot be known. */
  | { readonly kind: "lost"; readonly detail: string };

export interface TmuxExit {
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly message: string;
  readonly socket: string;
}

/** Tells an answer, a refusal and a missing server apart; tmux has only words for the last. */
export function exitOutcome({ exitCode, stdout, message, socket }: TmuxExit): TmuxOutcome {
  if (exitCode === 0) return { kind: "answered", stdout };
  const wasReached = /^(?:server exited|lost server)/m.test(message);
  return wasReached || /^(?:no server running on |error connecting to )/m.test(message)
    ? { kind: "no_server", socket, wasReached }
    : { kind: "refused", stdout, message: message.trim() };
}

/** The output of an invocation that answered. @throws ToolError with the code of any other outcome. */
export function answerOf(outcome: TmuxOutcome): Buffer {
  if (outcome.kind === "answered") return outcome.stdout;
  throw tmuxError(outcome);
}

/** An outcome without an answer as the refusal a caller gets. */
export function tmuxError(outcome: Exclude<TmuxOutcome, { kind: "answered" }>): ToolError {
  switch (outcome.kind) {
    case "refused":
      return failed(outcome.message);
    case "no_server":
      return new ToolError("no_server", `No tmux server runs on ${outcome.socket}.`, {
        data: { socket: outcome.socket },
      });
    case "timed_out":
      return new ToolError(
        "tmux_timeout",
        `tmux did not answer within ${String(outcome.limitMs)} ms.`,
        { data: { limit_ms: outcome.limitMs } },
      );
    case "too_large":
      return failed(`more than ${String(outcome.limitBytes)} bytes of output`);
    case "not_found":
      return new ToolError(
        "tmux_not_found",
        `tmux was not found as "${outcome.path}". Install it: apt-get install tmux, or brew install tmux.`,
        { data: { tmux_path: outcome.path } },
      );
    case "too_old":
      return new ToolError(
        "tmux_too_old",
        `tmux ${outcome.version} is too old; 3.2a or newer is needed.`,
        { data: { version: outcome.version } },
      );
    case "too_many":
      return new ToolError("too_many_in_flight", "Too many tmux commands wait; try again later.");
    case "not_started":
      return failed(`not started: ${outcome.code}`);
    case "lost":
      return failed(outcome.detail);
  }
}

function failed(message: string): ToolError {
  return new ToolError("tmux_failed", `tmux failed: ${safeLine(message, { maxChars: 200 })}`);
}
