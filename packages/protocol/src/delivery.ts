/** Whether a call reached the other side and may have run there. */
export type Delivery = "not_sent" | "rejected" | "unknown" | "delivered";

/** Every delivery word, from "certainly did not run" to "ran". */
export const deliveries: readonly Delivery[] = ["not_sent", "rejected", "unknown", "delivered"];

/** What the caller saw of one call; the only ground on which delivery is judged. */
export type DeliveryEvidence =
  | {
      readonly kind: "never_written";
      readonly cause:
        | "config"
        | "spawn"
        | "resolve"
        | "connect"
        | "tls"
        | "request_too_large"
        | "cancelled";
    }
  | { readonly kind: "result" }
  | { readonly kind: "rpc_error"; readonly code: number; readonly method: string }
  | { readonly kind: "http_status"; readonly status: number }
  | {
      readonly kind: "lost";
      readonly cause:
        | "timeout"
        | "abort"
        | "eof"
        | "reset"
        | "reply_too_large"
        | "reply_unreadable"
        | "wrong_id"
        | "peer_exit";
    };

/** A verdict; `mayHaveRun` is the question the user asks. */
export interface DeliveryVerdict {
  readonly delivery: Delivery;
  readonly mayHaveRun: boolean;
}

/** RPC errors that MCP and JSON-RPC send only before a request is dispatched. */
const rejectingRpcCodes: ReadonlySet<number> = new Set([
  -32700, -32600, -32601, -32020, -32021, -32022,
]);

/** HTTP statuses that refuse a request before it is handled. */
const rejectingStatuses: ReadonlySet<number> = new Set([
  307, 308, 400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 417, 421, 422, 426, 428, 429, 431,
]);

/**
 * Says whether a call may have run. Pure; nothing is retried on its word. When in doubt the answer is
 * `unknown`, because a wrong "did not run" invites a second effect.
 */
export function classifyDelivery(evidence: DeliveryEvidence): DeliveryVerdict {
  switch (evidence.kind) {
    case "never_written":
      return { delivery: "not_sent", mayHaveRun: false };
    case "result":
      return { delivery: "delivered", mayHaveRun: true };
    case "rpc_error":
      return isRejection(evidence) ? rejected : { delivery: "delivered", mayHaveRun: true };
    case "http_status":
      return rejectingStatuses.has(evidence.status) ? rejected : unknown;
    case "lost":
      break;
  }
  return unknown;
}

const rejected: DeliveryVerdict = { delivery: "rejected", mayHaveRun: false };
const unknown: DeliveryVerdict = { delivery: "unknown", mayHaveRun: true };

function isRejection({ code, method }: { code: number; method: string }): boolean {
  // Some servers answer -32602 to tools/call after running the tool, when its output breaks its schema.
  return rejectingRpcCodes.has(code) || (code === -32602 && method !== "tools/call");
}
