import { ClientError, notSent } from "../errors.ts";
import type { ResolvedOAuthConfig } from "./config.ts";
import type { AuthorizationServerMetadata } from "./discovery.ts";
import type { ClientIdentity } from "./grant.ts";
import type { OAuthHttp } from "./http.ts";

export interface IdentityInput {
  readonly config: ResolvedOAuthConfig;
  /** A metadata document to offer where the configuration names no identity. */
  readonly candidateUrl: string | undefined;
  readonly metadata: AuthorizationServerMetadata;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The registration of an earlier login at the same issuer. */
  readonly registered: ClientIdentity | undefined;
}

/** Failures that say more than that there is no registration. */
const keptCodes: ReadonlySet<string> = new Set([
  "oauth_insecure_endpoint",
  "address_refused",
  "aborted",
]);

/** Under which identity to log in: the configured one, a metadata document, or a registration if allowed. */
export async function chooseIdentity(
  http: OAuthHttp,
  input: IdentityInput,
): Promise<ClientIdentity> {
  const { config, metadata, registered, redirectUri } = input;
  if (config.clientId !== undefined) {
    const { clientId: id, clientSecretFrom: secretFrom } = config;
    return { how: "configured", id, ...(secretFrom && { secretFrom }) };
  }
  const documentUrl = config.clientMetadataUrl ?? input.candidateUrl;
  if (documentUrl && metadata["client_id_metadata_document_supported"] === true) {
    return { how: "metadata_url", id: documentUrl };
  }
  if (config.dynamicRegistration && metadata.registration_endpoint !== undefined) {
    return registered?.redirectUri === redirectUri ? registered : register(http, input);
  }
  throw notSent(
    "registration_required",
    "The authorization server does not know this client. Register one there and configure clientId; " +
      advice(input),
  );
}

function advice({ config, metadata }: IdentityInput): string {
  if (metadata.registration_endpoint === undefined) {
    return "the server offers no registration of its own.";
  }
  return config.dynamicRegistration
    ? "or allow a client metadata URL."
    : "or allow it to register this client by itself: dynamicRegistration, --register.";
}

async function register(http: OAuthHttp, input: IdentityInput): Promise<ClientIdentity> {
  const { metadata, redirectUri, scopes } = input;
  const oauth = await import("oauth4webapi");
  try {
    const response = await oauth.dynamicClientRegistrationRequest(
      metadata,
      {
        client_name: "Postern MCP client",
        application_type: "native",
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: authMethod(metadata),
        ...(scopes.length > 0 && { scope: scopes.join(" ") }),
      },
      { [oauth.customFetch]: http.fetch, [oauth.allowInsecureRequests]: true },
    );
    const { client_id: id, client_secret: secret } =
      await oauth.processDynamicClientRegistrationResponse(response);
    return { how: "registered", id, redirectUri, ...(typeof secret === "string" && { secret }) };
  } catch (error) {
    if (error instanceof ClientError && keptCodes.has(error.code)) throw error;
    throw notSent(
      "registration_required",
      "The authorization server did not register this client. Register one there and configure clientId.",
      { cause: error },
    );
  }
}

function authMethod({
  token_endpoint_auth_methods_supported: methods,
}: AuthorizationServerMetadata) {
  const known = ["none", "client_secret_basic", "client_secret_post"];
  return known.find((method) => methods?.includes(method)) ?? "none";
}
