import type { JsonObject, RequestId, RpcError } from "../index.ts";

/** A JSON-RPC error before it has an id; `data.code` is the stable word callers test. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject & { readonly code: string };
}

/** The error response that carries a refusal. */
export function refusalReply(id: RequestId | null, { code, message, data }: Refusal): RpcError {
  return { jsonrpc: "2.0", id, error: { code, message, data } };
}
