import { isRequestId } from "../json-rpc.ts";
import type { JsonObject, JsonValue } from "../json-value.ts";

/** The three messages of JSON-RPC. */
export type MessageKind = "request" | "notification" | "response";

/** Why a JSON value is no message; `member` is the top-level member at fault. */
export interface EnvelopeFault {
  readonly kind: "fault";
  readonly code: "batch_not_supported" | "not_an_object" | "invalid_envelope";
  readonly message: string;
  readonly member?: string;
}

/** Judges the shape of one message. Member names are exact-case, and a member MCP does not know is refused. */
export function judgeEnvelope(value: JsonValue): { readonly kind: MessageKind } | EnvelopeFault {
  if (Array.isArray(value)) {
    return { kind: "fault", code: "batch_not_supported", message: "Batches are not supported." };
  }
  if (!isObject(value)) {
    return { kind: "fault", code: "not_an_object", message: "A message is a JSON object." };
  }
  if (value["jsonrpc"] !== "2.0") return invalid("jsonrpc", 'jsonrpc must be "2.0".');
  return "method" in value ? judgeCall(value) : judgeResponse(value);
}

function judgeCall(call: JsonObject): { readonly kind: MessageKind } | EnvelopeFault {
  const { id, method, params } = call;
  if (typeof method !== "string") return invalid("method", "method must be a string.");
  if ("id" in call && !isRequestId(id)) return invalid("id", ID_RULE);
  if ("params" in call && !isObject(params)) return invalid("params", "params must be an object.");
  return unknownMember(call, callMembers) ?? { kind: "id" in call ? "request" : "notification" };
}

function judgeResponse(response: JsonObject): { readonly kind: MessageKind } | EnvelopeFault {
  if (!("result" in response || "error" in response)) {
    return invalid("method", "A message has a method, a result or an error.");
  }
  const { id, result, error } = response;
  // An error may lack an id: its sender could not read that of the request.
  const idRequired = "result" in response || (id !== undefined && id !== null);
  if (idRequired && !isRequestId(id)) return invalid("id", ID_RULE);
  if ("result" in response && !isObject(result)) {
    return invalid("result", "result must be an object.");
  }
  if ("error" in response && !isErrorBody(error)) {
    return invalid("error", "error must have an integer code and a string message.");
  }
  const members = "result" in response ? resultMembers : errorMembers;
  return unknownMember(response, members) ?? { kind: "response" };
}

const ID_RULE = "id must be a string of 1 to 256 bytes or a safe integer.";

const callMembers: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const resultMembers: ReadonlySet<string> = new Set(["jsonrpc", "id", "result"]);
const errorMembers: ReadonlySet<string> = new Set(["jsonrpc", "id", "error"]);

function unknownMember(message: JsonObject, known: ReadonlySet<string>): EnvelopeFault | undefined {
  const member = Object.keys(message).find((key) => !known.has(key));
  return member === undefined
    ? undefined
    : invalid(member, `A message of this kind has only ${[...known].join(", ")}.`);
}

function invalid(member: string, message: string): EnvelopeFault {
  return { kind: "fault", code: "invalid_envelope", message, member };
}

function isErrorBody(value: unknown): boolean {
  return (
    isObject(value) && Number.isSafeInteger(value["code"]) && typeof value["message"] === "string"
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
