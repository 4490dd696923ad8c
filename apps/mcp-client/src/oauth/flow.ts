import { equalSecret } from "@postern/endpoint-auth";
import { notSent, type ClientError } from "../errors.ts";
import { clientAuth } from "./client-auth.ts";
import type { Discovered } from "./discovery.ts";
import type { ClientIdentity, Grant, IssuerFacts } from "./grant.ts";
import type { OAuthHttp } from "./http.ts";
import { errorCodeOf, tokenFailure, tokensFrom } from "./token-request.ts";

export interface FlowInput {
  readonly discovered: Discovered;
  readonly client: ClientIdentity;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

/** One authorization code flow: the address to open, and what becomes of the answer. */
export interface Flow {
  readonly authorizationUrl: string;
  /** Exchanges the answer for tokens; throws a `ClientError`. Works once. */
  finish(http: OAuthHttp, callback: URLSearchParams): Promise<Grant>;
}

/** Starts a flow. Its verifier and state are known to this object alone. */
export async function startFlow(input: FlowInput): Promise<Flow> {
  const oauth = await import("oauth4webapi");
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  let used = false;
  return {
    authorizationUrl: authorizationUrl(input, state, challenge),
    finish(http, callback) {
      if (used) throw notSent("oauth_state_mismatch", "This login was answered already.");
      used = true;
      checkAnswer(callback, input.discovered, state);
      return exchange(http, input, { callback, state, verifier });
    },
  };
}

function authorizationUrl(input: FlowInput, state: string, challenge: string): string {
  const { discovered, client, redirectUri, scopes } = input;
  const url = new URL(discovered.metadata.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: discovered.resource,
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    // OpenID Connect Core section 11: without it a server may leave out the refresh token.
    ...(scopes.includes("offline_access") && { prompt: "consent" }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** RFC 9207 comes first: of an answer from another issuer nothing is read, not even its error. */
function checkAnswer(answer: URLSearchParams, { metadata }: Discovered, state: string): void {
  const issuers = answer.getAll("iss");
  const stated = metadata.authorization_response_iss_parameter_supported === true;
  const wrong = issuers.length > 1 || (issuers[0] !== undefined && issuers[0] !== metadata.issuer);
  if (wrong || (stated && issuers.length === 0)) {
    const found = wrong ? "comes from another issuer" : "does not say which issuer it comes from";
    throw notSent("oauth_issuer_mismatch", `The answer to the login ${found}; it was not used.`);
  }
  const states = answer.getAll("state");
  if (states.length !== 1 || !equalSecret(states[0] ?? "", state)) {
    throw notSent(
      "oauth_state_mismatch",
      "The answer belongs to another login; it was not used. Start the login again.",
    );
  }
}

async function exchange(
  http: OAuthHttp,
  input: FlowInput,
  answer: { callback: URLSearchParams; state: string; verifier: string },
): Promise<Grant> {
  const { discovered, client, redirectUri, scopes } = input;
  const { metadata, resource } = discovered;
  const oauth = await import("oauth4webapi");
  const party = { client_id: client.id };
  let validated: URLSearchParams;
  try {
    validated = oauth.validateAuthResponse(metadata, party, answer.callback, answer.state);
  } catch (error) {
    throw denied(error);
  }
  try {
    const auth = await clientAuth(client, metadata);
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      party,
      auth,
      validated,
      redirectUri,
      answer.verifier,
      {
        additionalParameters: { resource },
        [oauth.customFetch]: http.fetch,
        [oauth.allowInsecureRequests]: true,
      },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(metadata, party, response);
    return {
      resource,
      server: factsOf(discovered),
      client,
      tokens: tokensFrom(tokens, { scopes }),
    };
  } catch (error) {
    throw tokenFailure(error, "Exchanging the answer for a token");
  }
}

function factsOf({ metadata }: Discovered): IssuerFacts {
  const { issuer, token_endpoint, revocation_endpoint } = metadata;
  const methods = metadata.token_endpoint_auth_methods_supported;
  return {
    issuer,
    token_endpoint,
    ...(revocation_endpoint !== undefined && { revocation_endpoint }),
    ...(methods && { token_endpoint_auth_methods_supported: methods }),
  };
}

function denied(error: unknown): ClientError {
  const code = errorCodeOf(error);
  const said = code === undefined ? "with something that is no answer" : `with ${code}`;
  return notSent("oauth_denied", `The authorization server ended the login ${said}.`, {
    cause: error,
    data: { ...(code !== undefined && { oauthError: code }) },
  });
}
