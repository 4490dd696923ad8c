import type { JsonObject } from "./json-value.ts";

/** JSON-RPC and MCP error numbers in use. */
export const rpcErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Every expected refusal that has no number of its own. */
  serverError: -32000,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const;

/** A string of 1..256 bytes or a safe integer; MCP forbids null. */
export type RequestId = string | number;

/** A call that awaits exactly one response. */
export interface RpcRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A message that awaits nothing. */
export interface RpcNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: JsonObject;
}

/** A successful answer. */
export interface RpcResult {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result: JsonObject;
}

/** An error answer; the id is null (or absent, from some peers) when the request's could not be read. */
export interface RpcError {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId | null;
  readonly error: RpcErrorBody;
}

export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Whether `value` may be a request id: a string of 1..256 UTF-8 bytes or a safe integer. */
export function isRequestId(value: unknown): value is RequestId {
  if (typeof value === "string") {
    return value.length > 0 && value.length <= 256 && Buffer.byteLength(value) <= 256;
  }
  return Number.isSafeInteger(value);
}
