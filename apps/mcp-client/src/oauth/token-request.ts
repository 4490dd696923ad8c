import type { TokenEndpointResponse } from "oauth4webapi";
import { ClientError, notSent } from "../errors.ts";
import type { Tokens } from "./grant.ts";

/** What a token endpoint's answer says, with its lifetime turned into a point in time. */
export function tokensFrom(
  answer: TokenEndpointResponse,
  before: { readonly scopes: readonly string[]; readonly refresh?: string | undefined },
): Tokens {
  if (answer.token_type !== "bearer") {
    throw notSent("oauth_token_failed", "The token is of a kind this client cannot present.");
  }
  const refresh = answer.refresh_token ?? before.refresh;
  const scopes = answer.scope?.split(" ").filter((scope) => scope !== "") ?? before.scopes;
  return {
    access: answer.access_token,
    ...(refresh !== undefined && { refresh }),
    ...(answer.expires_in !== undefined && { expiresAt: Date.now() + answer.expires_in * 1_000 }),
    scopes,
    verified: false,
  };
}

/** The failure of a token request. What the server says is named only as far as it is a code. */
export function tokenFailure(error: unknown, doing: string): ClientError {
  if (error instanceof ClientError) {
    const keeps = [
      "oauth_insecure_endpoint",
      "address_refused",
      "oauth_token_failed",
      "secret_unavailable",
      "store_unavailable",
    ];
    if (keeps.includes(error.code)) return error;
    const lost = error.code !== "connect_failed" && error.code !== "tls_failed";
    const hint = lost ? " It may have happened there; it was not repeated." : "";
    return notSent("oauth_token_failed", `${doing} failed: ${error.message}${hint}`, {
      cause: error,
      data: { lost },
    });
  }
  const words = errorCodeOf(error);
  const said = words === undefined ? "its answer cannot be used" : `it says ${words}`;
  return notSent("oauth_token_failed", `${doing} failed at the authorization server: ${said}.`, {
    cause: error,
    data: { ...(words !== undefined && { oauthError: words }) },
  });
}

/** The `error` of an OAuth answer (RFC 6749 section 5.2), if it looks like one. */
export function errorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("error" in error)) return undefined;
  return typeof error.error === "string" && /^[a-z0-9_.-]{1,60}$/i.test(error.error)
    ? error.error
    : undefined;
}
