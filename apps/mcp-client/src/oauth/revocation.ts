import { ClientError } from "../errors.ts";
import { clientAuth } from "./client-auth.ts";
import type { Grant } from "./grant.ts";
import type { OAuthHttp } from "./http.ts";
import type { LogoutReport } from "./oauth.ts";

/** Asks once that a login be revoked (RFC 7009), and says what came of it. */
export async function revoke(
  http: OAuthHttp,
  { server, client, tokens }: Grant,
): Promise<LogoutReport["atServer"]> {
  if (server.revocation_endpoint === undefined || !tokens) return "not_revoked";
  const oauth = await import("oauth4webapi");
  try {
    const auth = await clientAuth(client, server);
    // With the refresh token go the access tokens made from it.
    const token = tokens.refresh ?? tokens.access;
    const party = { client_id: client.id };
    const { ok } = await oauth.revocationRequest(server, party, auth, token, {
      additionalParameters: {
        token_type_hint: tokens.refresh === undefined ? "access_token" : "refresh_token",
      },
      [oauth.customFetch]: http.fetch,
      [oauth.allowInsecureRequests]: true,
    });
    return ok ? "revoked" : "not_revoked";
  } catch (error) {
    const early = ["connect_failed", "tls_failed", "address_refused", "secret_unavailable"];
    return error instanceof ClientError && early.includes(error.code) ? "not_revoked" : "unknown";
  }
}
