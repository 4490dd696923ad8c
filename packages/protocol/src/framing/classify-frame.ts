import { pointerOf } from "../json/json-pointer.ts";
import {
  readStrictJson,
  type StrictJsonFault,
  type StrictJsonOptions,
} from "../json/read-strict-json.ts";
import {
  isRequestId,
  type RequestId,
  rpcErrorCodes,
  type RpcError,
  type RpcNotification,
  type RpcRequest,
  type RpcResult,
} from "../json-rpc.ts";
import type { JsonObject, JsonValue } from "../json-value.ts";
import { limitOf } from "../limits.ts";
import { type EnvelopeFault, judgeEnvelope } from "./envelope.ts";

/** What one line or body is. A `fault` is answered with `reply`, and with nothing else. */
export type Frame =
  | { readonly kind: "request"; readonly message: RpcRequest }
  | { readonly kind: "notification"; readonly message: RpcNotification }
  | { readonly kind: "response"; readonly message: RpcResult | RpcError }
  | {
      readonly kind: "fault";
      readonly reply: RpcError;
      /** The method of a request that is at fault only in that its params are no object. */
      readonly badParamsOf?: string;
    };

/** Reads one frame strictly and says which message it is, or which single error answers it. */
export function classifyFrame(bytes: Uint8Array, options: StrictJsonOptions = {}): Frame {
  const read = readStrictJson(bytes, options);
  if (!read.ok) return { kind: "fault", reply: strictJsonReply(read, options) };
  const judged = judgeEnvelope(read.value);
  if (judged.kind === "fault") return envelopeFault(judged, read.value);
  return { kind: judged.kind, message: read.value } as unknown as Frame;
}

/** The answer to a line that was thrown away because it passed the cap. */
export function oversizeReply(limitBytes: number): RpcError {
  const data = { code: "too_large", limitBytes };
  return reply(rpcErrorCodes.parseError, "The message is too large.", data, null);
}

/** Faults that leave nothing to read an id from. */
const unreadable: ReadonlySet<string> = new Set(["invalid_utf8", "not_json"]);

function strictJsonReply(fault: StrictJsonFault, options: StrictJsonOptions): RpcError {
  const { code, line, column, path, topLevelId } = fault;
  if (code === "too_large") return oversizeReply(limitOf("maxBytes", options.maxBytes));
  const message = `The message is not strict JSON (${code} at line ${String(line)}, column ${String(column)}).`;
  const number = unreadable.has(code) ? rpcErrorCodes.parseError : rpcErrorCodes.invalidRequest;
  return reply(number, message, { code, path }, topLevelId ?? null);
}

function envelopeFault({ code, message, member }: EnvelopeFault, value: JsonValue): Frame {
  const data = member === undefined ? { code } : { code, path: pointerOf([member]) };
  const { id = null, method } = code === "invalid_envelope" ? (value as JsonObject) : {};
  const answer = reply(rpcErrorCodes.invalidRequest, message, data, isRequestId(id) ? id : null);
  const badParams = member === "params" && typeof method === "string" && isRequestId(id);
  return { kind: "fault", reply: answer, ...(badParams ? { badParamsOf: method } : {}) };
}

function reply(code: number, message: string, data: JsonObject, id: RequestId | null): RpcError {
  return { jsonrpc: "2.0", id, error: { code, message, data } };
}
