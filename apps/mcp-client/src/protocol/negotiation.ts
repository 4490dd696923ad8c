import type { Answer } from "../client/answer.ts";
import { revision2025 } from "./revision-2025.ts";
import { isModernError, revision2026 } from "./revision-2026.ts";
import type { HandshakePort, Identity, Opening, Revision, ServerInfo } from "./revision.ts";

const METHOD_NOT_FOUND = -32601;

export interface NegotiationOptions {
  readonly protocolVersion: "2025-11-25" | "2026-07-28" | "auto";
  readonly acceptRevisions: readonly string[];
  /** How long silence counts as "not yet" before `auto` falls back. */
  readonly probeTimeoutMs: number;
  /** Skips the probe: it was tried, and ended the server. */
  readonly alreadyProbed: boolean;
  readonly transport: "stdio" | "http";
}

export type Negotiated =
  | { kind: "agreed"; revision: Revision; info: ServerInfo }
  /** The server ended on the probe; only a new process can be asked again. */
  | { kind: "respawn" }
  | { kind: "refused"; opening: Exclude<Opening, { kind: "open" }>; tried: Revision };

/** Agrees on a revision: over stdio on the one process that runs, over HTTP with one request more. */
export async function negotiate(
  port: HandshakePort,
  identity: Identity,
  o: NegotiationOptions,
): Promise<Negotiated> {
  const open = async (revision: Revision, over: HandshakePort): Promise<Negotiated> => {
    port.speak(revision);
    const opening = await revision.open(over, identity, o.acceptRevisions);
    return opening.kind === "open"
      ? { kind: "agreed", revision, info: opening.info }
      : { kind: "refused", opening, tried: revision };
  };
  if (o.protocolVersion === revision2025.name || o.alreadyProbed) return open(revision2025, port);
  if (o.protocolVersion === revision2026.name) return open(revision2026, port);

  // Silence over stdio means "legacy"; over HTTP it means trouble, and the handshake's own deadline counts.
  const limit = o.transport === "stdio" ? { timeoutMs: o.probeTimeoutMs } : {};
  const probe: HandshakePort = {
    ...port,
    request: (method, params) => port.request(method, params, limit),
  };
  const probed = await open(revision2026, probe);
  if (probed.kind !== "refused") return probed;
  switch (afterProbe(probed.opening, o)) {
    case "legacy":
      return open(revision2025, port);
    case "respawn":
      return { kind: "respawn" };
    case "stop":
      break;
  }
  return probed;
}

/**
 * stdio, "Backward Compatibility": a recognised modern error means modern; any other error, or silence, means a
 * server that wants `initialize`. The code of that error says nothing.
 */
function afterProbe(
  opening: Exclude<Opening, { kind: "open" }>,
  o: NegotiationOptions,
): "legacy" | "respawn" | "stop" {
  switch (opening.kind) {
    case "other_revision":
      return opening.offered.some(
        (name) => name === revision2025.name || o.acceptRevisions.includes(name),
      )
        ? "legacy"
        : "stop";
    case "malformed":
      return o.transport === "stdio" ? "legacy" : "stop";
    case "failed":
      break;
  }
  return o.transport === "stdio"
    ? afterFailedProbe(opening.answer)
    : afterFailedHttpProbe(opening.answer);
}

function afterFailedProbe(answer: Answer): "legacy" | "respawn" | "stop" {
  if (answer.kind === "rpc_error") return isModernError(answer.error.code) ? "stop" : "legacy";
  if (answer.kind !== "lost") return "stop";
  if (answer.code === "server_exited") return "respawn";
  return answer.code === "timeout" || answer.code === "uncorrelated_error" ? "legacy" : "stop";
}

/** Streamable HTTP, "Backward Compatibility": only these say that nobody knows the method, or the missing session. */
const LEGACY_STATUSES: ReadonlySet<number> = new Set([400, 404, 405]);

function afterFailedHttpProbe(answer: Answer): "legacy" | "stop" {
  if (answer.kind === "http_status") return LEGACY_STATUSES.has(answer.status) ? "legacy" : "stop";
  if (answer.kind !== "rpc_error" || isModernError(answer.error.code)) return "stop";
  const { error, httpStatus = 200 } = answer;
  return error.code === METHOD_NOT_FOUND || LEGACY_STATUSES.has(httpStatus) ? "legacy" : "stop";
}
