import { Account } from "../client/account.ts";
import type { Outcome } from "../outcome.ts";
import { parseOAuthConfig, type OAuthConfig } from "./config.ts";
import type { OAuth } from "./oauth.ts";
import { OAuthSession } from "./session.ts";

/** Where this client's metadata document is published; unset as long as nobody publishes one. */
const METADATA_URL: string | undefined = undefined;

/**
 * A login that offers Postern's own client metadata document to authorization servers that take one, unless the
 * configuration has `clientId` or `clientMetadataUrl`. Offline: nothing is opened or asked yet.
 */
export function createOAuth(config: OAuthConfig, storeName?: string): Outcome<OAuth> {
  return oauthWith(config, storeName, METADATA_URL);
}

/**
 * A login without any identity of its own: what the configuration does not name is not offered. Tokens live in
 * memory, or sealed on disk under `storeName`. Offline: nothing is opened or asked yet.
 */
export function oauth(config: OAuthConfig, storeName?: string): Outcome<OAuth> {
  return oauthWith(config, storeName, undefined);
}

/** Either of them, with the document to offer. */
export function oauthWith(
  config: OAuthConfig,
  storeName: string | undefined,
  candidateUrl: string | undefined,
): Outcome<OAuth> {
  const account = new Account("config");
  const parsed = parseOAuthConfig(config);
  if (parsed.kind === "invalid") return account.fail(parsed);
  return account.succeed(new OAuthSession({ ...parsed, storeName, candidateUrl }), "not_sent");
}
