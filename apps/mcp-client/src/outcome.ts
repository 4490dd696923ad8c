import type { Delivery } from "@postern/protocol";
import type { ClientError } from "./errors.ts";

/** What one operation came to: exactly one of `result` and `error` is there, `detail` always is. */
export type Outcome<T> = { result: T; error: undefined; detail: Detail } | FailedOutcome;

/** An outcome without a result. */
export interface FailedOutcome {
  result: undefined;
  error: ClientError;
  detail: Detail;
}

export type Phase =
  | "config"
  | "secrets"
  | "spawn"
  | "connect"
  | "handshake"
  | "list"
  | "call"
  | "close"
  | "login"
  | "content";

/** Facts of one operation. Safe to log: what may hold secrets is in the non-enumerable `sensitive`. */
export interface Detail {
  /** Whether the tool may have run. */
  delivery: Delivery;
  /** How far the operation came. */
  phase: Phase;
  /** What the tool may have changed. `claimed_read_only` is the server's claim, not a proof. */
  effects: "none" | "claimed_read_only" | "possible";
  transport?: "stdio" | "http";
  revision?: string;
  requestId?: string;
  elapsedMs: number;
  bytesSent: number;
  bytesReceived: number;
  httpStatus?: number;
  jsonRpcCode?: number;
  /** Messages nobody waited for: late answers, second answers, foreign ids. */
  stray: number;
  /** What to do next; there whenever the tool may have run without an answer. */
  nextStep?: string;
  warnings: Warning[];
  /** Where `resumeCall` can take up the lost stream of this call. */
  resume?: { lastEventId: string; retryMs: number };
  /** The limit that ended the operation. */
  limit?: { name: string; limit: number; seen: number };
  /** How the server's process tree ended. */
  processTree?: ProcessTree;
  readonly sensitive: Sensitive;
}

export interface ProcessTree {
  /** The step that ended it. */
  stage: "eof" | "sigterm" | "sigkill";
  /** Processes that were still there at the end of the last step. */
  survivors: number;
  /** How far the search for survivors reached: `tree`, `group_only` or `skipped`. */
  proof: string;
}

export interface Warning {
  code: string;
  message: string;
}

/** Raw words of the peer. May hold secrets and terminal controls; never printed, logged or serialised by itself. */
export interface Sensitive {
  serverError?: { code: number; message: string; data?: unknown };
  stderrTail?: string;
  replyHead?: string;
  /** The `WWW-Authenticate` header of a refusal. */
  challenge?: string;
}

/** The result, or a throw of the outcome's error. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.error) throw outcome.error;
  return outcome.result;
}

/** Whether a value has the shape of an Outcome. */
export function isOutcome(value: unknown): value is Outcome<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "result" in value &&
    "error" in value &&
    "detail" in value
  );
}
