import { bearerChallenge } from "../transport/http/challenge.ts";
import type { OAuthHttp } from "./http.ts";
import type { Challenge } from "./oauth.ts";

/** A request without effect on any server; revisions of the protocol differ in much, but not in this one. */
const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

/**
 * Asks an endpoint once, as nobody, what it wants to see: where its metadata is and which scopes it names. An
 * endpoint that says nothing, or cannot be reached, leaves that to the search for its metadata.
 */
export async function askChallenge(http: OAuthHttp, endpoint: URL): Promise<Challenge | undefined> {
  try {
    const response = await http.fetch(endpoint.href, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: PING,
    });
    const { status, headers } = response;
    return status === 401
      ? bearerChallenge(headers.get("www-authenticate") ?? undefined)
      : undefined;
  } catch {
    return undefined;
  }
}
