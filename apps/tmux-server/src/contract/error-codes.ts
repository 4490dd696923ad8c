/**
 * What each refusal code of this server means. A tool's contract picks the codes it can answer;
 * `invalid_arguments`, `effect_not_enabled`, `cancelled`, `too_many_in_flight` and `internal_error` are every tool's.
 */
export const errorCodes = {
  text_too_long: "The text or command is longer than the pane can take whole; nothing was sent.",
  invalid_cursor: "The cursor was not made by this server for this pane, or was changed.",
  tmux_not_found: "tmux is not installed where the configuration says.",
  tmux_too_old: "The installed tmux is older than 3.2a.",
  no_server: "No tmux server listens on the socket in use.",
  tmux_timeout: "tmux did not answer within tmux_timeout_ms.",
  tmux_failed: "tmux refused or broke the command.",
  session_not_allowed: "The session is not in allowed_sessions.",
  session_not_found: "No allowed session has that exact name.",
  window_not_found: "The session has no window with that index.",
  pane_not_found: "The pane does not exist, or was replaced while the call ran.",
  pane_not_in_session: "The pane exists, but not at the place that was also named.",
  hidden_by_user: "The user hid this pane, window or session (@postern_* is off).",
  paused_by_user: "The user allows only reading here (@postern_* is read).",
  auth_failed: "auth_token is missing or wrong.",
  insufficient_scope: "The caller's token lacks the scope this tool needs.",
  command_not_allowed: "The text or command is not, byte for byte, an entry of allowed_commands.",
  key_not_allowed: "With allowed_commands set only C-c, C-l and C-u may be pressed.",
  own_pane: "The pane is the one this server runs in.",
  pane_dead: "The program in the pane has ended.",
  pane_in_mode: "The pane is in copy mode or another tmux mode.",
  pane_input_off: "Input to the pane is switched off.",
  pane_synchronized: "The window's panes are synchronized, so other panes would get the input too.",
  password_prompt: "The pane asks for a password; the person types it.",
  command_running: "A program runs in the pane.",
  draft_present: "Text that was typed but not entered stands on the prompt line.",
  continuation_prompt: "The shell waits for the rest of an unfinished command.",
  not_a_shell: "A program that is no shell waits at a prompt of its own.",
  prompt_timeout: "No quiet prompt appeared within the timeout; nothing was sent.",
  pane_busy:
    "Other runs still wait for this pane, or it changed at the very moment of the write; nothing was sent.",
  request_conflict: "The requestId was used before with other arguments.",
  request_in_progress: "The request with this requestId still runs.",
  request_limit: "The receipt store is full for new requests.",
  request_id_too_old: "The requestId is older than the receipts that are kept; use a new one.",
  request_id_from_future: "The requestId is stamped in the future.",
  store_unavailable: "The receipt store cannot be written, so nothing was sent.",
  result_omitted: "It was done, but the answer was too large to be kept.",
  not_started: "tmux could not be reached after all; nothing was sent.",
  revoked: "Access ended before the action began; nothing was sent.",
  deadline_exceeded: "The time was over before the action began; nothing was sent.",
  crashed_before_effect: "The server ended before the action began; nothing was sent.",
  outcome_unknown:
    "It may have been done: tmux or the server failed at that moment. Look at the pane.",
  owner_lost:
    "It may have been done: the server that did it ended in the middle. Look at the pane.",
} satisfies Record<string, string>;

/** A refusal code of this server. */
export type TmuxErrorCode = keyof typeof errorCodes;

/** The codes any tool that asks tmux can answer. */
export const tmuxCodes = [
  "tmux_not_found",
  "tmux_too_old",
  "no_server",
  "tmux_timeout",
  "tmux_failed",
] as const;

/** The codes of naming a pane. */
export const targetCodes = [
  "session_not_allowed",
  "session_not_found",
  "window_not_found",
  "pane_not_found",
  "pane_not_in_session",
  "hidden_by_user",
] as const;

/** The codes every write tool adds: policy, a pane that cannot take input, receipts. */
export const writeCodes = [
  "paused_by_user",
  "auth_failed",
  "insufficient_scope",
  "own_pane",
  "pane_dead",
  "pane_in_mode",
  "pane_input_off",
  "pane_synchronized",
  "password_prompt",
  "command_running",
  "draft_present",
  "continuation_prompt",
  "prompt_timeout",
  "pane_busy",
  "request_conflict",
  "request_in_progress",
  "request_limit",
  "request_id_too_old",
  "request_id_from_future",
  "store_unavailable",
  "result_omitted",
  "not_started",
  "revoked",
  "deadline_exceeded",
  "crashed_before_effect",
  "outcome_unknown",
  "owner_lost",
] as const;

/** Picks the meanings of `codes`, for a contract's `errors`. */
export function errorsOf<const C extends TmuxErrorCode>(
  ...codes: readonly C[]
): Readonly<Record<C, string>> {
  return Object.fromEntries(codes.map((code) => [code, errorCodes[code]])) as Record<C, string>;
}
