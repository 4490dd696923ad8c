import type { AuthorizationServer } from "oauth4webapi";
import { ClientError, notSent, type LoginCode } from "../errors.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { isLoopbackHttp } from "./config.ts";
import type { OAuthHttp } from "./http.ts";

/** What a server says about who gives out its tokens. */
export interface Discovered {
  /** The identifier tokens are asked for. */
  readonly resource: string;
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  /** Scopes the resource lists. */
  readonly scopesSupported: readonly string[] | undefined;
}

/** RFC 8414 metadata that was checked: every URL in it that is used is https or on this machine. */
export type AuthorizationServerMetadata = AuthorizationServer & {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
};

const URL_FIELDS = [
  "authorization_endpoint",
  "token_endpoint",
  "registration_endpoint",
  "revocation_endpoint",
] as const;

export interface DiscoveryInput {
  readonly endpoint: URL;
  /** From the server's challenge. */
  readonly resourceMetadataUrl: string | undefined;
  /** The only issuer the caller accepts. */
  readonly issuer: string | undefined;
}

/** Finds the authorization server of an MCP endpoint: RFC 9728, then RFC 8414 or OpenID Connect Discovery. */
export async function discover(http: OAuthHttp, input: DiscoveryInput): Promise<Discovered> {
  const found = await resourceMetadata(http, input);
  const resource = found["resource"];
  if (typeof resource !== "string" || !covers(resource, input.endpoint)) {
    throw refused(
      "oauth_resource_mismatch",
      "The server's metadata is about another resource than the URL that is configured.",
    );
  }
  const issuers = strings(found["authorization_servers"]) ?? [];
  const issuer = input.issuer ?? issuers[0];
  if (issuer === undefined) {
    throw refused("oauth_discovery_failed", "The server names no authorization server.");
  }
  if (!issuers.includes(issuer)) {
    throw refused("oauth_issuer_mismatch", "The server does not name the configured issuer.");
  }
  const metadata = await issuerMetadata(http, issuer);
  const scopesSupported = strings(found["scopes_supported"]);
  return { resource, issuer: metadata.issuer, metadata, scopesSupported };
}

async function resourceMetadata(http: OAuthHttp, input: DiscoveryInput): Promise<Members> {
  const { endpoint, resourceMetadataUrl } = input;
  const wellKnown = "/.well-known/oauth-protected-resource";
  const { pathname, search, origin } = endpoint;
  const inserted = new URL(`${wellKnown}${pathname === "/" ? "" : pathname}${search}`, origin);
  const candidates =
    resourceMetadataUrl === undefined
      ? [inserted, new URL(wellKnown, origin)]
      : [checkedUrl(resourceMetadataUrl)];
  const found = await firstDocument(http, candidates);
  if (found) return found;
  throw refused(
    "oauth_discovery_failed",
    "The server publishes no metadata about who gives out its tokens; it may need a static token.",
  );
}

async function issuerMetadata(
  http: OAuthHttp,
  issuer: string,
): Promise<AuthorizationServerMetadata> {
  const { origin, pathname } = checkedUrl(issuer);
  const path = pathname.replace(/\/$/, "");
  const openid = "/.well-known/openid-configuration";
  const candidates = [
    `/.well-known/oauth-authorization-server${path}`,
    `${openid}${path}`,
    ...(path === "" ? [] : [`${path}${openid}`]),
  ].map((place) => new URL(place, origin));
  const metadata = await firstDocument(http, candidates);
  if (!metadata) {
    throw refused("oauth_discovery_failed", "The authorization server publishes no metadata.");
  }
  return checkedMetadata(metadata, issuer);
}

function checkedMetadata(metadata: Members, issuer: string): AuthorizationServerMetadata {
  const stated = metadata["issuer"];
  // One trailing slash is the difference that real servers have; anything more is another issuer.
  if (typeof stated !== "string" || withoutSlash(stated) !== withoutSlash(issuer)) {
    throw refused(
      "oauth_issuer_mismatch",
      "The authorization server's metadata is of another issuer.",
    );
  }
  for (const field of URL_FIELDS) {
    const value = metadata[field];
    if (value !== undefined) checkedUrl(value);
    else if (field === "authorization_endpoint" || field === "token_endpoint") {
      throw refused("oauth_discovery_failed", `The authorization server has no ${field}.`);
    }
  }
  if (!strings(metadata["code_challenge_methods_supported"])?.includes("S256")) {
    throw refused(
      "oauth_pkce_unsupported",
      "The authorization server does not state that it supports PKCE with S256, so a stolen code could be used.",
    );
  }
  return metadata as AuthorizationServerMetadata;
}

/** A document that is not there leads on to the next place; one that is there and broken does not. */
async function firstDocument(
  http: OAuthHttp,
  candidates: readonly URL[],
): Promise<Members | undefined> {
  for (const url of candidates) {
    const response = await http.get(url).catch((error: unknown) => {
      throw wrapped(error, url);
    });
    if (response.status === 200) return documentOf(response, url);
    await response.body?.cancel();
    if (response.status < 400 || response.status > 499) {
      const status = String(response.status);
      throw refused("oauth_discovery_failed", `${url.origin} answered ${status} for its metadata.`);
    }
  }
  return undefined;
}

async function documentOf(response: Response, url: URL): Promise<Members> {
  const value: unknown = await response.json().catch(() => undefined);
  if (isMembers(value)) return value;
  throw refused(
    "oauth_discovery_failed",
    `${url.origin} published metadata that is no JSON object.`,
  );
}

function checkedUrl(value: unknown): URL {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url && url.username === "" && url.hash === "") {
    if (url.protocol === "https:" || isLoopbackHttp(url)) return url;
  }
  throw refused(
    "oauth_insecure_endpoint",
    "The server's metadata names an address that is neither https nor on this machine.",
  );
}

/** RFC 9728: the resource is the endpoint, or a part of its path that ends at a slash. */
function covers(resource: string, endpoint: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, search, hash } = new URL(resource);
  if (origin !== endpoint.origin || hash !== "") return false;
  if (search !== "" && search !== endpoint.search) return false;
  const path = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return `${endpoint.pathname}/`.startsWith(path);
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === "string")
    ? value
    : undefined;
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, "");
}

function wrapped(error: unknown, url: URL): unknown {
  const keeps = ["oauth_insecure_endpoint", "address_refused", "aborted"];
  if (!(error instanceof ClientError) || keeps.includes(error.code)) return error;
  const message = `The metadata of ${url.origin} cannot be had: ${error.message}`;
  return notSent("oauth_discovery_failed", message, { cause: error });
}

function refused(code: LoginCode, message: string): ClientError {
  return notSent(code, message);
}
