import { readFile } from "node:fs/promises";
import type { Secret } from "@postern/endpoint-auth";
import { isHeaderText, isTokenText } from "../../config/http-rules.ts";
import type { ResolvedHttpConfig } from "../../config/http-schema.ts";
import type { SecretSource } from "../../config/schema.ts";
import { notSent, type ClientError } from "../../errors.ts";
import { Connector } from "./connector.ts";
import { HttpLink, type HttpLinkOptions } from "./http-link.ts";
import type { LinkLogin, TokenSlot } from "./login-link.ts";
import { SocketPool } from "./socket-pool.ts";

const MAX_CA_BYTES = 1024 * 1024;

export type Started = { kind: "started"; link: HttpLink } | { kind: "failed"; error: ClientError };

/** The secrets a server over HTTP needs, by the field they stand for. */
export function httpSecretSources(config: ResolvedHttpConfig): Record<string, SecretSource> {
  const { headersFrom, authTokenFrom, proxyFrom } = config;
  const headers = Object.entries(headersFrom).map(([name, source]) => [`header ${name}`, source]);
  return {
    ...(Object.fromEntries(headers) as Record<string, SecretSource>),
    ...(authTokenFrom && { authToken: authTokenFrom }),
    ...(proxyFrom && { proxy: proxyFrom }),
  };
}

/** Prepares a connection. Nothing is connected before the first request. */
export async function startHttp(
  config: ResolvedHttpConfig,
  secrets: ReadonlyMap<string, Secret>,
  login: LinkLogin | undefined,
): Promise<Started> {
  const assembled = assembleHeaders(config, secrets);
  if (assembled.kind === "failed") return assembled;
  const ca = await readAuthorities(config.caFile);
  if (ca.kind === "failed") return ca;
  const credentials = secrets.get("proxy")?.reveal();
  const connector = new Connector({
    url: new URL(config.url),
    ca: ca.pem,
    proxy:
      config.proxy === undefined
        ? undefined
        : {
            url: new URL(config.proxy),
            authorization: credentials && `Basic ${Buffer.from(credentials).toString("base64")}`,
          },
  });
  const abort = new AbortController();
  const pool = new SocketPool(() =>
    connector.connect(
      AbortSignal.any([abort.signal, AbortSignal.timeout(config.handshakeTimeoutMs)]),
    ),
  );
  const { maxMessageBytes, maxStreamBytes } = config;
  const options: HttpLinkOptions = {
    url: new URL(config.url),
    pool,
    abort,
    headers: assembled.headers,
    hasToken: assembled.hasToken,
    maxMessageBytes,
    maxStreamBytes,
  };
  if (!login) return { kind: "started", link: new HttpLink(options) };
  const { LoginLink } = await import("./login-link.ts");
  const slot: TokenSlot = { token: undefined };
  // The link spreads its headers at each request, and so takes the token of that moment.
  const headers = {
    ...assembled.headers,
    get authorization() {
      return `Bearer ${slot.token?.reveal() ?? ""}`;
    },
  };
  return {
    kind: "started",
    link: new LoginLink({ ...options, headers, hasToken: true }, login, slot),
  };
}

type Assembled =
  | { kind: "ok"; headers: Record<string, string>; hasToken: boolean }
  | { kind: "failed"; error: ClientError };

function assembleHeaders(
  config: ResolvedHttpConfig,
  secrets: ReadonlyMap<string, Secret>,
): Assembled {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.headers)) headers[name.toLowerCase()] = value;
  for (const name of Object.keys(config.headersFrom)) {
    const value = secrets.get(`header ${name}`)?.reveal() ?? "";
    if (!isHeaderText(value)) return unusable(`The value for the header ${name}`);
    headers[name.toLowerCase()] = value;
  }
  const token = secrets.get("authToken")?.reveal() ?? config.authToken;
  if (token !== undefined) {
    if (!isTokenText(token)) return unusable("The token");
    headers["authorization"] = `Bearer ${token}`;
  }
  return { kind: "ok", headers, hasToken: headers["authorization"] !== undefined };
}

function unusable(what: string): Assembled {
  const message = `${what} holds something that no header can carry.`;
  return { kind: "failed", error: notSent("secret_unavailable", message) };
}

async function readAuthorities(
  path: string | undefined,
): Promise<{ kind: "ok"; pem: string | undefined } | { kind: "failed"; error: ClientError }> {
  if (path === undefined) return { kind: "ok", pem: undefined };
  const failed = (why: string): { kind: "failed"; error: ClientError } => ({
    kind: "failed",
    error: notSent("invalid_config", `The caFile ${path} cannot be used: ${why}.`),
  });
  try {
    const pem = await readFile(path, "utf8");
    if (pem.length > MAX_CA_BYTES) return failed("it is larger than 1 MiB");
    return pem.includes("-----BEGIN CERTIFICATE-----")
      ? { kind: "ok", pem }
      : failed("it holds no certificate in PEM form");
  } catch (error) {
    return failed((error as NodeJS.ErrnoException).code ?? "error");
  }
}
