import { resolve } from "node:path";
import { processEnvironment } from "../config.ts";
import { parseServerConfig } from "../config/parse.ts";
import type { ResolvedConfig, ServerConfig } from "../config/schema.ts";
import { resolveSecrets } from "../config/secrets.ts";
import { notSent } from "../errors.ts";
import { negotiate } from "../protocol/negotiation.ts";
import { revision2025 } from "../protocol/revision-2025.ts";
import type { HandshakePort, Identity, Opening, ServerInfo } from "../protocol/revision.ts";
import type { Tool } from "../protocol/tool.ts";
import type { Link } from "../transport/link.ts";
import { VERSION } from "../version.ts";
import type { Account } from "./account.ts";
import { closeQuietly } from "./closing.ts";
import { failureOf, type Failure } from "./failure.ts";
import type { ClientOptions } from "./options.ts";
import { Peer } from "./peer.ts";

/** One agreed connection and what is known of its server. */
export interface Connection {
  readonly peer: Peer;
  readonly config: ResolvedConfig;
  readonly info: ServerInfo;
  /** What the last listing said, by name; for claims about effects only. */
  knownTools: ReadonlyMap<string, Tool>;
}

export type Connecting =
  | { kind: "open"; connection: Connection }
  | { kind: "failed"; failure: Failure };

/** Starts, connects and agrees on a revision; on any failure nothing is left running. */
export async function openConnection(
  raw: ServerConfig,
  o: ClientOptions,
  account: Account,
): Promise<Connecting> {
  const parsed = parseServerConfig(raw);
  if (parsed.kind === "invalid") return { kind: "failed", failure: { error: parsed.error } };
  const { config } = parsed;

  account.phase = "secrets";
  const source = processEnvironment();
  const secrets = await resolveSecrets(config.envFrom, source);
  if (secrets.kind === "unavailable") return { kind: "failed", failure: { error: secrets.error } };
  const env = { ...config.env };
  for (const [name, secret] of secrets.values) env[name] = secret.reveal();

  const identity: Identity = {
    clientInfo: o.clientInfo ?? { name: "postern-mcp", version: VERSION },
    capabilities: {},
  };
  const deadline = performance.now() + config.handshakeTimeoutMs;
  const start = async (): Promise<{ kind: "started"; link: Link } | FailedStart> => {
    account.phase = "spawn";
    if (o.signal?.aborted) return aborted();
    const { startStdio } = await import("../transport/stdio/start.ts");
    const cwd = resolve(config.cwd ?? ".");
    return startStdio({ ...config, cwd, env, source });
  };
  return handshake({ start, config, identity, deadline, account, signal: o.signal });
}

type FailedStart = { kind: "failed"; error: Failure["error"] };

interface Attempt {
  readonly start: () => Promise<{ kind: "started"; link: Link } | FailedStart>;
  readonly config: ResolvedConfig;
  readonly identity: Identity;
  readonly deadline: number;
  readonly account: Account;
  readonly signal: AbortSignal | undefined;
}

async function handshake(attempt: Attempt, earlier?: Peer): Promise<Connecting> {
  const { config, account } = attempt;
  const started = await attempt.start();
  if (started.kind === "failed") return { kind: "failed", failure: { error: started.error } };
  const { link } = started;
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
  });
  switch (negotiated.kind) {
    case "agreed": {
      account.revision = negotiated.info.revision;
      const { info } = negotiated;
      return { kind: "open", connection: { peer, config, info, knownTools: new Map() } };
    }
    case "respawn":
      await closeQuietly(link);
      account.warn(
        "probe_respawn",
        "The server ended when it was asked for its revisions; it was started once more. Set protocolVersion to avoid this.",
      );
      return handshake(attempt, peer);
    case "refused": {
      const failure = await refusal(negotiated.opening, negotiated.tried.name);
      account.noteClosed(await closeQuietly(link));
      return { kind: "failed", failure };
    }
  }
}

function portOf(peer: Peer, { deadline, signal }: Attempt): HandshakePort {
  return {
    request: (method, params, { timeoutMs = Infinity } = {}) =>
      peer.request(method, params, {
        timeoutMs: Math.max(1, Math.round(Math.min(timeoutMs, deadline - performance.now()))),
        handshake: true,
        ...(signal && { signal }),
      }),
    notify: (notification) => peer.link.send(notification),
    speak: (revision) => {
      peer.revision = revision;
    },
  };
}

async function refusal(
  opening: Exclude<Opening, { kind: "open" }>,
  revision: string,
): Promise<Failure> {
  switch (opening.kind) {
    case "other_revision":
      return { error: otherRevision(opening.offered, revision) };
    case "malformed":
      return {
        error: notSent("handshake_failed", `The server does not open a session: ${opening.why}.`),
      };
    case "failed": {
      if (opening.answer.kind === "result") throw new Error("A result is no failed answer.");
      const failure = await failureOf(opening.answer, { method: "initialize", phase: "handshake" });
      if (opening.answer.kind !== "rpc_error") return failure;
      const { message, data } = failure.error;
      const error = notSent(
        "handshake_failed",
        `${message} It may not speak revision ${revision}; try --protocol auto.`,
        data ? { data } : {},
      );
      return { ...failure, error };
    }
  }
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
  if (offered.includes("2026-07-28")) return "Use --protocol 2026-07-28.";
  if (offered.includes("2025-11-25")) return "Use --protocol 2025-11-25.";
  const older = offered.find((name) => name === "2025-06-18" || name === "2025-03-26");
  return older
    ? `To accept it, add "${older}" to acceptRevisions.`
    : "This client cannot talk to it.";
}

function aborted(): FailedStart {
  const message = "The caller gave up before the server was started.";
  return { kind: "failed", error: notSent("aborted", message) };
}
