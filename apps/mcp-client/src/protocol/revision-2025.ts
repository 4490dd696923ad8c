import { answerQuestion } from "./elicitation.ts";
import { isMembers, type Members } from "./json-rpc.ts";
import type { Opening, ResultShape, Revision } from "./revision.ts";

const NAME = "2025-11-25";
const METHOD_NOT_FOUND = -32601;

/** Revisions with the same lifecycle, which a caller may choose to accept. */
export const OLDER_REVISIONS = ["2025-06-18", "2025-03-26"] as const;

/** Revision 2025-11-25: a session opened by `initialize`, requests in both directions. */
export const revision2025: Revision = {
  name: NAME,

  async open(port, identity, accept): Promise<Opening> {
    const answer = await port.request("initialize", {
      protocolVersion: NAME,
      capabilities: identity.capabilities,
      clientInfo: identity.clientInfo,
    });
    if (answer.kind === "rpc_error") {
      const offered = supportedVersions(answer.error.data);
      return offered ? { kind: "other_revision", offered } : { kind: "failed", answer };
    }
    if (answer.kind !== "result") return { kind: "failed", answer };
    const { result } = answer;
    if (!isMembers(result) || typeof result["protocolVersion"] !== "string") {
      return { kind: "malformed", why: "the answer to initialize names no protocolVersion" };
    }
    const revision = result["protocolVersion"];
    if (revision !== NAME && !accept.includes(revision)) {
      return { kind: "other_revision", offered: [revision] };
    }
    // Lifecycle: nothing but pings may be sent before this notification.
    port.agree(revision);
    const refused = await port.notify({ jsonrpc: "2.0", method: "notifications/initialized" });
    if (refused) return { kind: "failed", answer: refused };
    const instructions = result["instructions"];
    return {
      kind: "open",
      info: {
        revision,
        serverInfo: result["serverInfo"],
        capabilities: result["capabilities"] ?? {},
        ...(typeof instructions === "string" && { instructions }),
      },
    };
  },

  stamp(params, _identity, progressToken): Members {
    if (progressToken === undefined) return params ?? {};
    const meta = params?.["_meta"];
    return { ...params, _meta: { ...(isMembers(meta) ? meta : {}), progressToken } };
  },

  cancellation: (requestId, reason) => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId, reason },
  }),

  wire: { sessions: true, clientMessages: true },
  headers: () => ({}),
  readMirrors: undefined,

  answer({ method, params }, { elicitation }) {
    if (method === "ping") return { result: {} };
    if (method === "elicitation/create" && elicitation) return answerQuestion(params, elicitation);
    return { error: { code: METHOD_NOT_FOUND, message: "This client serves no such request." } };
  },

  readResult: (result): ResultShape =>
    isMembers(result)
      ? { kind: "complete", result }
      : { kind: "malformed", why: "the result is not an object" },
};

/** A server without this revision may name its own in the error (Versioning, "Backward Compatibility"). */
function supportedVersions(data: unknown): string[] | undefined {
  if (!isMembers(data) || !Array.isArray(data["supported"])) return undefined;
  return data["supported"].filter((name) => typeof name === "string");
}
