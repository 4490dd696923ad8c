import { notSent } from "../errors.ts";
import type { ResolvedOAuthConfig } from "./config.ts";
import { discover } from "./discovery.ts";
import { startFlow, type Flow } from "./flow.ts";
import type { Grant } from "./grant.ts";
import type { OAuthHttp } from "./http.ts";
import { chooseIdentity } from "./identity.ts";
import type { Challenge } from "./oauth.ts";
import { askChallenge } from "./probe.ts";
import { scopesToAsk } from "./scopes.ts";

export interface PrepareInput {
  readonly config: ResolvedOAuthConfig;
  readonly endpoint: URL;
  readonly candidateUrl: string | undefined;
  readonly http: OAuthHttp;
  /** The login there is now. */
  readonly before: Grant | undefined;
  readonly redirectUri: string;
  readonly asked: readonly string[] | undefined;
  readonly challenge: Challenge | undefined;
  readonly acceptNewIssuer: boolean;
}

/** From the endpoint's URL to the address the person opens: discovery, identity, scopes. */
export async function prepareFlow(input: PrepareInput): Promise<Flow> {
  const { config, http, before, redirectUri, endpoint } = input;
  const challenge = input.challenge ?? (await askChallenge(http, endpoint));
  const discovered = await discover(http, {
    endpoint,
    resourceMetadataUrl: challenge?.resourceMetadataUrl,
    issuer: config.issuer,
  });
  const { metadata, issuer } = discovered;
  if (before && before.server.issuer !== issuer && !input.acceptNewIssuer) {
    throw notSent(
      "issuer_changed",
      `The server now names ${new URL(issuer).origin} as its issuer; this login is from ` +
        `${new URL(before.server.issuer).origin}. If that is right, accept the new issuer (--accept-new-issuer).`,
      { data: { issuer, before: before.server.issuer } },
    );
  }
  // What one issuer gave is never shown to another.
  const same = before?.server.issuer === issuer ? before : undefined;
  const scopes = scopesToAsk({
    asked: input.asked,
    challenged: challenge?.scopes,
    listed: discovered.scopesSupported,
    granted: same?.tokens?.scopes ?? [],
    known: metadata.scopes_supported,
  });
  const client = await chooseIdentity(http, {
    config,
    candidateUrl: input.candidateUrl,
    metadata,
    redirectUri,
    scopes,
    registered: same?.client.how === "registered" ? same.client : undefined,
  });
  return startFlow({ discovered, client, redirectUri, scopes });
}
