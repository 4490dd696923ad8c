import {
  PROTOCOL_VERSION_META_KEY,
  specTypeSchemas,
  type StandardSchemaV1,
  type StandardSchemaV1Sync,
} from "@modelcontextprotocol/server";
import {
  cutText,
  protocolRevisions,
  rpcErrorCodes,
  type JsonObject,
  type ProtocolRevision,
  type RpcNotification,
  type RpcRequest,
} from "../../index.ts";
import { pointerOf } from "../../json/json-pointer.ts";
import type { ToolBinding } from "../tool-binding.ts";
import type { Refusal } from "../refusal.ts";

/** Where a request goes. */
export type Route =
  | { readonly kind: "mcp"; readonly revision: ProtocolRevision }
  | { readonly kind: "bare"; readonly binding: ToolBinding }
  | { readonly kind: "refused"; readonly error: Refusal };

/** The methods a server of tools has, by revision, and what a request for each looks like. */
const servedMethods = {
  "2025-11-25": new Map<string, RequestSchema>([
    ["initialize", specTypeSchemas.InitializeRequest],
    ["ping", specTypeSchemas.PingRequest],
    ["tools/list", specTypeSchemas.ListToolsRequest],
    ["tools/call", specTypeSchemas.CallToolRequest],
  ]),
  "2026-07-28": new Map<string, RequestSchema>([
    ["server/discover", specTypeSchemas.DiscoverRequest],
    ["subscriptions/listen", specTypeSchemas.SubscriptionsListenRequest],
    ["tools/list", specTypeSchemas.ListToolsRequest],
    ["tools/call", specTypeSchemas.CallToolRequest],
  ]),
} as const satisfies Record<ProtocolRevision, unknown>;

type RequestSchema = StandardSchemaV1Sync;

/** What a 2025-11-25 client may send before its `initialize` (lifecycle, "Initialization"). */
const openingMethods: ReadonlySet<string> = new Set(["initialize", "ping"]);

/**
 * Judges one request by itself: a revision in its `_meta` makes it 2026-07-28, which has no handshake, so both
 * revisions and the bare methods can share one pipe (2026-07-28, versioning: a server may serve both at once).
 */
export function routeRequest(
  message: RpcRequest,
  connection: {
    readonly initialized: boolean;
    readonly bareMethods: ReadonlyMap<string, ToolBinding>;
  },
): Route {
  const claimed = claimedRevision(message);
  if (claimed !== undefined && claimed !== "2026-07-28" && typeof claimed === "string") {
    return refuse(unsupportedRevision(claimed));
  }
  const revision = claimed === undefined ? "2025-11-25" : "2026-07-28";
  const schema = servedMethods[revision].get(message.method);
  if (schema === undefined) {
    const binding = claimed === undefined ? connection.bareMethods.get(message.method) : undefined;
    return binding ? { kind: "bare", binding } : refuse(methodNotFound);
  }
  if (claimed === undefined && !connection.initialized && !openingMethods.has(message.method)) {
    return refuse(notInitialized);
  }
  const malformed = judgeParams(message, revision);
  if (malformed !== undefined) return refuse(malformed);
  return { kind: "mcp", revision };
}

/**
 * The refusal of a request whose params are not what its method takes. The SDK answers some of these with -32603
 * and the schema library's dump; judged here, none gets there. A method that is not served here is not judged.
 */
export function judgeParams(message: RpcRequest, revision: ProtocolRevision): Refusal | undefined {
  const judged = servedMethods[revision].get(message.method)?.["~standard"].validate(message);
  return judged?.issues?.[0] && invalidParams(judged.issues[0]);
}

/** The revision a notification belongs to. */
export function revisionOf(message: RpcNotification): ProtocolRevision {
  return claimedRevision(message) === undefined ? "2025-11-25" : "2026-07-28";
}

/** What the message names as its revision; undefined when it names none at all. */
function claimedRevision(message: { readonly params?: JsonObject }): unknown {
  const meta = message.params?.["_meta"];
  if (typeof meta !== "object" || meta === null || !(PROTOCOL_VERSION_META_KEY in meta))
    return undefined;
  return meta[PROTOCOL_VERSION_META_KEY];
}

function refuse(error: Refusal): Route {
  return { kind: "refused", error };
}

const methodNotFound: Refusal = {
  code: rpcErrorCodes.methodNotFound,
  message: "Method not found.",
  data: { code: "method_not_found" },
};

const notInitialized: Refusal = {
  code: rpcErrorCodes.invalidRequest,
  message:
    "Not initialized: under 2025-11-25 send initialize first; under 2026-07-28 name the revision in _meta.",
  data: { code: "not_initialized" },
};

function invalidParams({ path = [], message }: StandardSchemaV1.Issue): Refusal {
  const pointer = pointerOf(path.map((step) => String(typeof step === "object" ? step.key : step)));
  return {
    code: rpcErrorCodes.invalidParams,
    message: `Invalid params: ${pointer}: ${message}`,
    data: { code: "invalid_params", path: pointer },
  };
}

/** The refusal of a revision that is served nowhere here; it lists those that are. */
export function unsupportedRevision(claimed: string): Refusal {
  return {
    code: rpcErrorCodes.unsupportedProtocolVersion,
    message: "Unsupported protocol version",
    data: {
      code: "unsupported_revision",
      supported: protocolRevisions.toReversed(),
      requested: cutText(claimed, 64).text,
    },
  };
}
