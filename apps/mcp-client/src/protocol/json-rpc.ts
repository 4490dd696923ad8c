/** A JSON object whose members are not known yet. */
export type Members = Record<string, unknown>;

export interface RpcRequest {
  jsonrpc: "2.0";
  id: number | string;
  method: string;
  params?: Members;
}

export interface RpcNotification {
  jsonrpc: "2.0";
  method: string;
  params?: Members;
}

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export type RpcResponse = { jsonrpc: "2.0"; id: number | string } & (
  | { result: unknown }
  | { error: RpcError }
);

/** What one received JSON value is, judged by its envelope alone. */
export type Incoming =
  | { kind: "request"; message: RpcRequest }
  | { kind: "notification"; message: RpcNotification }
  | { kind: "result"; id: number | string; result: unknown }
  | { kind: "error"; id: number | string | null; error: RpcError }
  | { kind: "broken_answer"; id: number | string }
  | { kind: "noise" };

/** Sorts a received value by its JSON-RPC 2.0 envelope. */
export function readEnvelope(value: unknown): Incoming {
  if (!isMembers(value)) return { kind: "noise" };
  const { id, method } = value;
  if (typeof method === "string") {
    if (value["jsonrpc"] !== "2.0") return { kind: "noise" };
    if (isId(id)) return { kind: "request", message: value as unknown as RpcRequest };
    return id === undefined
      ? { kind: "notification", message: value as unknown as RpcNotification }
      : { kind: "noise" };
  }
  return readAnswer(value, id);
}

function readAnswer(value: Members, id: unknown): Incoming {
  const error = readError(value["error"]);
  const hasResult = Object.hasOwn(value, "result");
  const wellFormed = value["jsonrpc"] === "2.0" && hasResult !== Object.hasOwn(value, "error");
  if (wellFormed && error && (isId(id) || id === null || id === undefined)) {
    return { kind: "error", id: id ?? null, error };
  }
  if (!isId(id)) return { kind: "noise" };
  return wellFormed && hasResult
    ? { kind: "result", id, result: value["result"] }
    : { kind: "broken_answer", id };
}

function readError(value: unknown): RpcError | undefined {
  if (!isMembers(value) || !Number.isInteger(value["code"])) return undefined;
  const message = typeof value["message"] === "string" ? value["message"] : "";
  return { code: value["code"] as number, message, data: value["data"] };
}

function isId(value: unknown): value is number | string {
  return typeof value === "number" || typeof value === "string";
}

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
