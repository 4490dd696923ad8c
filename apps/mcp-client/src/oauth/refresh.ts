import { notSent, type ClientError } from "../errors.ts";
import { clientAuth } from "./client-auth.ts";
import type { Grant, Tokens } from "./grant.ts";
import type { OAuthHttp } from "./http.ts";
import { tokenFailure, tokensFrom } from "./token-request.ts";
import type { Vault } from "./vault.ts";

/** Tokens are renewed this long before they end, so that one that is sent does not end on its way. */
const EARLY_MS = 60_000;

export interface RefreshInput {
  readonly vault: Vault;
  readonly http: OAuthHttp;
  /** An access token that the server has refused though it should still be good. */
  readonly refused: string | undefined;
}

/** Whether a token can be sent as it is. */
export function isUsable(tokens: Tokens, refused: string | undefined): boolean {
  if (tokens.access === refused) return false;
  return tokens.expiresAt === undefined || tokens.expiresAt - EARLY_MS > Date.now();
}

/**
 * Gets usable tokens by one refresh. Of several processes that need one, the first makes the request and the
 * others find what it stored. Throws a `ClientError`.
 */
export function refreshed(input: RefreshInput): Promise<Tokens> {
  const { vault, refused } = input;
  return vault.alone(async () => {
    const grant = await vault.load();
    if (grant?.tokens && isUsable(grant.tokens, refused)) return grant.tokens;
    if (!grant?.tokens?.refresh) throw loginRequired("The login has run out.");
    return refreshOnce(input, grant, grant.tokens.refresh);
  });
}

async function refreshOnce(input: RefreshInput, grant: Grant, refresh: string): Promise<Tokens> {
  const { vault, http } = input;
  const oauth = await import("oauth4webapi");
  const party = { client_id: grant.client.id };
  let status = 0;
  try {
    const auth = await clientAuth(grant.client, grant.server);
    const response = await oauth.refreshTokenGrantRequest(grant.server, party, auth, refresh, {
      additionalParameters: { resource: grant.resource },
      [oauth.customFetch]: http.fetch,
      [oauth.allowInsecureRequests]: true,
    });
    ({ status } = response);
    const answer = await oauth.processRefreshTokenResponse(grant.server, party, response);
    const scopes = grant.tokens?.scopes ?? [];
    const tokens = tokensFrom(answer, { scopes, refresh });
    await vault.change((now) => now && { ...now, tokens });
    return tokens;
  } catch (error) {
    if (status < 400 || status > 499) throw tokenFailure(error, "Renewing the token");
    // Whatever the reason is called: this token will not work again, and asking again would not end.
    await vault.change((now) => now && withoutRefresh(now, refresh));
    throw loginRequired("The authorization server no longer renews this login.", error);
  }
}

/** Only the token that failed goes: another process may have logged in meanwhile. */
function withoutRefresh(grant: Grant, failed: string): Grant {
  if (grant.tokens?.refresh !== failed) return grant;
  const { refresh: _gone, ...tokens } = grant.tokens;
  return { ...grant, tokens };
}

export function loginRequired(why: string, cause?: unknown): ClientError {
  return notSent("login_required", `${why} Log in again.`, { cause });
}
