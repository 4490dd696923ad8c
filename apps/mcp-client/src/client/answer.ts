import type { ClientErrorCode, LostCode, RejectedCode } from "../errors.ts";
import type { RpcError } from "../protocol/json-rpc.ts";

/** Why an operation stopped at a limit. */
export interface LimitHit {
  readonly name: string;
  readonly limit: number;
  readonly seen: number;
}

/** The last event a lost stream had brought, and how long its server wants to be left alone. */
export interface ResumePoint {
  readonly lastEventId: string;
  readonly retryMs: number;
}

/** What became of one request, as evidence: nothing here is judged yet. */
export type Answer =
  /** A result under our id; `bytes` is the message as it arrived. */
  | { kind: "result"; result: unknown; bytes: Uint8Array }
  | { kind: "rpc_error"; error: RpcError; httpStatus?: number }
  /** HTTP answered in place of the server. */
  | {
      kind: "http_status";
      status: number;
      code: RejectedCode | "http_status";
      message: string;
      data?: Record<string, unknown>;
      head?: string;
      /** The `WWW-Authenticate` header. */
      challenge?: string;
    }
  /** Nothing of the request was written. */
  | { kind: "not_sent"; code: ClientErrorCode; message: string; limit?: LimitHit }
  /** It was written, and no usable answer can come any more. */
  | {
      kind: "lost";
      code: LostCode;
      message: string;
      data?: Record<string, unknown>;
      limit?: LimitHit;
      httpStatus?: number;
      /** Where the stream that was to bring the answer can be taken up again. */
      resume?: ResumePoint;
      /** The beginning of an answer that could not be used. */
      head?: string;
    };
