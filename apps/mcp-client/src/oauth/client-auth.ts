import type { ClientAuth } from "oauth4webapi";
import { resolveSecrets } from "../config/secrets.ts";
import { processEnvironment } from "../config.ts";
import type { ClientIdentity, IssuerFacts } from "./grant.ts";

/** How this client proves who it is at a token endpoint: not at all, by Basic, or in the body. */
export async function clientAuth(
  client: ClientIdentity,
  server: Pick<IssuerFacts, "token_endpoint_auth_methods_supported">,
): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await import("oauth4webapi");
  const secret = client.secret ?? (await configuredSecret(client));
  if (secret === undefined) return None();
  // RFC 8414: Basic is what a server supports that says nothing.
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const post = !methods.includes("client_secret_basic") && methods.includes("client_secret_post");
  return post ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

async function configuredSecret({ secretFrom }: ClientIdentity): Promise<string | undefined> {
  if (!secretFrom) return undefined;
  const found = await resolveSecrets({ clientSecret: secretFrom }, processEnvironment());
  if (found.kind === "unavailable") throw found.error;
  return found.values.get("clientSecret")?.reveal();
}
