import type { RpcError, RpcNotification, RpcRequest, RpcResult } from "../json-rpc.ts";

/** What one line or body is. A `fault` is answered with `reply`, and with nothing else. */
export type Frame =
  | { readonly kind: "request"; readonly message: RpcRequest }
  | { readonly kind: "notification"; readonly message: RpcNotification }
  | { readonly kind: "response"; readonly message: RpcResult | RpcError }
  | { readonly kind: "fault"; readonly reply: RpcError };
