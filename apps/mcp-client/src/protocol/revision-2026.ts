import { encodeHeaderValue, mirrorHeaders, readMirrors } from "./header-mirrors.ts";
import { isMembers, type Members } from "./json-rpc.ts";
import type { Identity, Opening, ResultShape, Revision } from "./revision.ts";

const NAME = "2026-07-28";
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";
const UNSUPPORTED_REVISION = -32022;
/** The param that `Mcp-Name` repeats, by method (Streamable HTTP, "Standard Request Headers"). */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};
/** Errors that only a server of this revision or a later one answers with. */
const MODERN_ERRORS = new Set([-32020, -32021, UNSUPPORTED_REVISION]);

/** Revision 2026-07-28: no session; every request says who asks, in which revision and with what abilities. */
export const revision2026: Revision = {
  name: NAME,

  async open(port, identity): Promise<Opening> {
    const answer = await port.request("server/discover", { _meta: envelope(identity) });
    if (answer.kind === "rpc_error") {
      const offered = offeredVersions(answer.error.data, "supported");
      if (answer.error.code === UNSUPPORTED_REVISION && offered) {
        return { kind: "other_revision", offered };
      }
      return { kind: "failed", answer };
    }
    if (answer.kind !== "result") return { kind: "failed", answer };
    const { result } = answer;
    const offered = offeredVersions(result, "supportedVersions");
    if (!offered || !isMembers(result)) {
      return { kind: "malformed", why: "the answer to server/discover lists no supportedVersions" };
    }
    if (!offered.includes(NAME)) return { kind: "other_revision", offered };
    const meta = result["_meta"];
    const instructions = result["instructions"];
    return {
      kind: "open",
      info: {
        revision: NAME,
        // Servers name themselves in every result's metadata here, no longer in the handshake.
        serverInfo: isMembers(meta) ? meta[SERVER_INFO] : undefined,
        capabilities: result["capabilities"] ?? {},
        ...(typeof instructions === "string" && { instructions }),
      },
    };
  },

  stamp(params, identity, progressToken): Members {
    const meta = params?.["_meta"];
    return {
      ...params,
      _meta: {
        ...(isMembers(meta) ? meta : {}),
        ...envelope(identity),
        ...(progressToken !== undefined && { progressToken }),
      },
    };
  },

  cancellation: (requestId, reason, identity) => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId, reason, _meta: envelope(identity) },
  }),

  wire: { protocolVersion: NAME, sessions: false, clientMessages: false },

  headers(method, params, mirrors) {
    const name = params?.[NAMED_BY[method] ?? ""];
    return {
      "mcp-method": encodeHeaderValue(method),
      ...(typeof name === "string" && { "mcp-name": encodeHeaderValue(name) }),
      ...(method === "tools/call" && mirrorHeaders(params, mirrors)),
    };
  },

  readMirrors,

  // stdio, "Sending Messages": servers send no requests and the client never writes responses.
  answer: () => undefined,

  readResult(result): ResultShape {
    if (!isMembers(result)) return { kind: "malformed", why: "the result is not an object" };
    const type = result["resultType"] ?? "complete";
    if (type === "complete") {
      const { resultType: _consumed, ...rest } = result;
      return { kind: "complete", result: rest };
    }
    return type === "input_required" ? readInputRequired(result) : unknownType(type);
  },
};

/** Whether an error proves that its sender knows this revision, so that falling back would be wrong. */
export function isModernError(code: number): boolean {
  return MODERN_ERRORS.has(code);
}

function envelope(identity: Identity): Members {
  return {
    "io.modelcontextprotocol/protocolVersion": NAME,
    "io.modelcontextprotocol/clientInfo": identity.clientInfo,
    "io.modelcontextprotocol/clientCapabilities": identity.capabilities,
  };
}

function offeredVersions(value: unknown, member: string): string[] | undefined {
  const list = isMembers(value) ? value[member] : undefined;
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : undefined;
}

function readInputRequired(result: Members): ResultShape {
  const { inputRequests = {}, requestState } = result;
  if (!isMembers(inputRequests)) {
    return { kind: "malformed", why: "inputRequests is not an object" };
  }
  if (requestState !== undefined && typeof requestState !== "string") {
    return { kind: "malformed", why: "requestState is not a string" };
  }
  if (Object.keys(inputRequests).length === 0 && requestState === undefined) {
    return {
      kind: "malformed",
      why: "input_required carries neither inputRequests nor requestState",
    };
  }
  return {
    kind: "input_required",
    inputRequests,
    ...(requestState !== undefined && { requestState }),
  };
}

function unknownType(type: unknown): ResultShape {
  return { kind: "malformed", why: `the resultType is ${JSON.stringify(type)?.slice(0, 60)}` };
}
