import { resolve } from "node:path";
import { processEnvironment } from "../config.ts";
import { parseServerConfig } from "../config/parse.ts";
import type { ResolvedHttpConfig } from "../config/http-schema.ts";
import type { ResolvedConfig, ResolvedStdioConfig } from "../config/schema.ts";
import { resolveSecrets } from "../config/secrets.ts";
import { notSent } from "../errors.ts";
import type { Identity, ServerInfo } from "../protocol/revision.ts";
import type { Tool } from "../protocol/tool.ts";
import type { LinkLogin } from "../transport/http/login-link.ts";
import type { Link } from "../transport/link.ts";
import { VERSION } from "../version.ts";
import type { Account } from "./account.ts";
import type { Failure } from "./failure.ts";
import type { ClientOptions } from "./options.ts";
import type { Peer } from "./peer.ts";

/** One agreed connection and what is known of its server. */
export interface Connection {
  readonly peer: Peer;
  readonly config: ResolvedConfig;
  readonly info: ServerInfo;
  /** What the last listing said, by name; for claims about effects only. */
  knownTools: ReadonlyMap<string, Tool>;
  /** Tools of the last listing that cannot be called, and why; undefined before the first. */
  excludedTools: ReadonlyMap<string, string> | undefined;
}

export type StartedLink =
  | { kind: "started"; link: Link }
  | { kind: "failed"; error: Failure["error"] };

export type Connecting =
  | { kind: "open"; connection: Connection }
  | { kind: "failed"; failure: Failure };

/** Starts, connects and agrees on a revision; on any failure nothing is left running. */
export async function openConnection(
  raw: unknown,
  o: ClientOptions & { account: Account; onStarted?: () => void },
): Promise<Connecting> {
  const { account } = o;
  const parsed = await parseServerConfig(raw);
  if (parsed.kind === "invalid") return { kind: "failed", failure: { error: parsed.error } };
  const { config } = parsed;

  account.phase = "secrets";
  const prepared =
    "url" in config ? await prepareHttp(config, account) : await prepareStdio(config);
  if (prepared.kind === "failed") return { kind: "failed", failure: { error: prepared.error } };

  const identity: Identity = {
    clientInfo: o.clientInfo ?? { name: "postern-mcp", version: VERSION },
    capabilities: o.elicitation ? { elicitation: { form: {} } } : {},
    ...(o.elicitation && { elicitation: o.elicitation }),
  };
  const deadline = performance.now() + config.handshakeTimeoutMs;
  const start = async (): Promise<StartedLink> => {
    account.phase = "url" in config ? "connect" : "spawn";
    return o.signal?.aborted ? aborted() : prepared.start();
  };
  const started = await start();
  if (started.kind === "failed") return { kind: "failed", failure: { error: started.error } };
  // What is needed from here on is loaded while the server starts.
  o.onStarted?.();
  const { handshake } = await import("./handshake.ts");
  return handshake({ start, config, identity, deadline, account, signal: o.signal }, started.link);
}

type Prepared =
  | { kind: "ready"; start: () => Promise<StartedLink> }
  | { kind: "failed"; error: Failure["error"] };

async function prepareStdio(config: ResolvedStdioConfig): Promise<Prepared> {
  const source = processEnvironment();
  const secrets = await resolveSecrets(config.envFrom, source);
  if (secrets.kind === "unavailable") return { kind: "failed", error: secrets.error };
  const env = { ...config.env };
  for (const [name, secret] of secrets.values) env[name] = secret.reveal();
  return {
    kind: "ready",
    start: async () => {
      const { startStdio } = await import("../transport/stdio/start.ts");
      return startStdio({ ...config, cwd: resolve(config.cwd ?? "."), env, source });
    },
  };
}

async function prepareHttp(config: ResolvedHttpConfig, account: Account): Promise<Prepared> {
  const { httpSecretSources, startHttp } = await import("../transport/http/start.ts");
  const { secretLikeQueryNames } = await import("../config/url.ts");
  const names = secretLikeQueryNames(new URL(config.url));
  if (names.length > 0) {
    const shown = names.map((name) => JSON.stringify(name.slice(0, 40))).join(", ");
    account.warn(
      "secret_in_url",
      `The URL's query holds ${shown}, which looks like a secret; servers log queries. Use a header.`,
    );
  }
  const secrets = await resolveSecrets(httpSecretSources(config), processEnvironment());
  if (secrets.kind === "unavailable") return { kind: "failed", error: secrets.error };
  const login = config.oauth && (await linkLogin(config, config.oauth));
  return { kind: "ready", start: () => startHttp(config, secrets.values, login) };
}

/** A login that was made in code stays its maker's; one that is opened by name is closed with the connection. */
async function linkLogin(
  { url, allowPrivateNetwork }: ResolvedHttpConfig,
  given: NonNullable<ResolvedHttpConfig["oauth"]>,
): Promise<LinkLogin> {
  if (!("storeName" in given)) {
    return { source: given, command: "Call login() and try again.", release: () => undefined };
  }
  const { oauth } = await import("../oauth/create.ts");
  const { unwrap } = await import("../outcome.ts");
  const { storeName } = given;
  const source = unwrap(oauth({ url, allowPrivateNetwork }, storeName));
  return { source, command: `postern-mcp login ${storeName}`, release: () => source.close() };
}

function aborted(): StartedLink {
  const message = "The caller gave up before the server was started.";
  return { kind: "failed", error: notSent("aborted", message) };
}
