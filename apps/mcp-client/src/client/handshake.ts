import type { ResolvedConfig } from "../config/schema.ts";
import { notSent, type ClientErrorCode } from "../errors.ts";
import { negotiate } from "../protocol/negotiation.ts";
import { OLDER_REVISIONS, revision2025 } from "../protocol/revision-2025.ts";
import { revision2026 } from "../protocol/revision-2026.ts";
import type { HandshakePort, Identity, Opening } from "../protocol/revision.ts";
import type { Link } from "../transport/link.ts";
import type { Account } from "./account.ts";
import { closeQuietly } from "./closing.ts";
import type { Connecting, StartedLink } from "./connection.ts";
import { failureOf, type Failure } from "./failure.ts";
import { Peer } from "./peer.ts";

/** One connecting, from the started server to the agreed revision. */
export interface Attempt {
  /** Starts the server once more. */
  readonly start: () => Promise<StartedLink>;
  readonly config: ResolvedConfig;
  readonly identity: Identity;
  readonly deadline: number;
  readonly account: Account;
  readonly signal: AbortSignal | undefined;
}

/** Agrees on a revision with the server behind a link; on failure the link is closed. */
export async function handshake(attempt: Attempt, link: Link, earlier?: Peer): Promise<Connecting> {
  const { config, account } = attempt;
  account.phase = "handshake";
  account.attach(link, "beginning");
  const peer = new Peer(link, {
    identity: attempt.identity,
    revision: revision2025,
    limits: config,
    lastId: earlier?.lastId ?? 0,
  });
  const negotiated = await negotiate(portOf(peer, attempt), attempt.identity, {
    ...config,
    alreadyProbed: earlier !== undefined,
    transport: link.kind,
  });
  switch (negotiated.kind) {
    case "agreed": {
      account.revision = negotiated.info.revision;
      const { info } = negotiated;
      return {
        kind: "open",
        connection: { peer, config, info, knownTools: new Map(), excludedTools: undefined },
      };
    }
    case "respawn":
      await closeQuietly(link);
      account.warn(
        "probe_respawn",
        "The server ended when it was asked for its revisions; it was started once more. Set protocolVersion to avoid this.",
      );
      return again(attempt, peer);
    case "refused":
      break;
  }
  const failure = await refusal(negotiated.opening, negotiated.tried.name, account);
  account.noteClosed(await closeQuietly(link));
  return { kind: "failed", failure };
}

async function again(attempt: Attempt, earlier: Peer): Promise<Connecting> {
  const started = await attempt.start();
  if (started.kind === "started") return handshake(attempt, started.link, earlier);
  return { kind: "failed", failure: { error: started.error } };
}

function portOf(peer: Peer, { deadline, signal }: Attempt): HandshakePort {
  return {
    request: (method, params, { timeoutMs = Infinity } = {}) =>
      peer.request(method, params, {
        timeoutMs: Math.max(1, Math.round(Math.min(timeoutMs, deadline - performance.now()))),
        handshake: true,
        ...(signal && { signal }),
      }),
    notify: (notification) =>
      peer.link.send(notification, { timeoutMs: Math.max(1, deadline - performance.now()) }),
    speak: (revision) => {
      peer.revision = revision;
      peer.link.speak(revision.wire);
    },
    agree: (protocolVersion) => peer.link.speak({ ...peer.revision.wire, protocolVersion }),
  };
}

async function refusal(
  opening: Exclude<Opening, { kind: "open" }>,
  revision: string,
  account: Account,
): Promise<Failure> {
  switch (opening.kind) {
    case "other_revision":
      return { error: otherRevision(opening.offered, revision) };
    case "malformed":
      return {
        error: notSent("handshake_failed", `The server does not open a session: ${opening.why}.`),
      };
    case "failed":
      break;
  }
  const { answer } = opening;
  if (answer.kind === "not_sent" && isConnecting(answer.code)) account.phase = "connect";
  const failure = await failureOf(answer, { method: "handshake", phase: "handshake" });
  if (answer.kind !== "rpc_error") return failure;
  const { message, data } = failure.error;
  const error = notSent(
    "handshake_failed",
    `${message} It may not speak revision ${revision}; try --protocol auto.`,
    data ? { data: { ...data } } : {},
  );
  return { ...failure, error };
}

/** Over HTTP the connection is made by the first request. */
function isConnecting(code: ClientErrorCode): boolean {
  return code === "connect_failed" || code === "tls_failed" || code === "address_refused";
}

function otherRevision(offered: readonly string[], wanted: string): Failure["error"] {
  const names = offered.slice(0, 8).map((name) => JSON.stringify(name.slice(0, 20)));
  const list = names.join(", ") || "none";
  return notSent(
    "revision_not_supported",
    `The server does not speak revision ${wanted}; it offers ${list}. ${advice(offered)}`,
    { data: { wanted, offered: offered.slice(0, 8) } },
  );
}

function advice(offered: readonly string[]): string {
  const spoken = [revision2026.name, revision2025.name].find((name) => offered.includes(name));
  if (spoken) return `Use --protocol ${spoken}.`;
  const older = offered.find((name) => OLDER_REVISIONS.some((known) => known === name));
  return older
    ? `To accept it, add "${older}" to acceptRevisions.`
    : "This client cannot talk to it.";
}
