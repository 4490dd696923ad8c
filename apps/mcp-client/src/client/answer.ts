import type { NotSentCode, UnknownCode } from "../errors.ts";
import type { RpcError } from "../protocol/json-rpc.ts";

/** Why an operation stopped at a limit. */
export interface LimitHit {
  readonly name: string;
  readonly limit: number;
  readonly seen: number;
}

/** What became of one request, as evidence: nothing here is judged yet. */
export type Answer =
  /** A result under our id; `bytes` is the message as it arrived. */
  | { kind: "result"; result: unknown; bytes: Uint8Array }
  | { kind: "rpc_error"; error: RpcError }
  /** Nothing of the request was written. */
  | { kind: "not_sent"; code: NotSentCode | UnknownCode; message: string; limit?: LimitHit }
  /** It was written, and no usable answer can come any more. */
  | {
      kind: "lost";
      code: UnknownCode;
      message: string;
      data?: Record<string, unknown>;
      limit?: LimitHit;
      /** The beginning of an answer that could not be used. */
      head?: string;
    };
