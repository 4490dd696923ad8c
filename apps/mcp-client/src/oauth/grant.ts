import type { AuthorizationServer } from "oauth4webapi";
import type { SecretSource } from "../config/schema.ts";

/** What a token endpoint gave. */
export interface Tokens {
  readonly access: string;
  readonly refresh?: string;
  /** Absolute, in milliseconds; absent where the server told nothing. */
  readonly expiresAt?: number;
  readonly scopes: readonly string[];
  /** Whether the server has answered a request that carried the access token. */
  readonly verified: boolean;
}

/** Under which identity this client is known to one authorization server. */
export interface ClientIdentity {
  readonly how: "configured" | "metadata_url" | "registered";
  readonly id: string;
  /** Of a registered client only. */
  readonly secret?: string;
  /** Where a configured client's secret is fetched from, each time it is needed. */
  readonly secretFrom?: SecretSource;
  /** Where a registered client said that answers go to. */
  readonly redirectUri?: string;
}

/** The part of an authorization server's metadata that is needed after a login. */
export type IssuerFacts = Pick<
  AuthorizationServer,
  "issuer" | "revocation_endpoint" | "token_endpoint_auth_methods_supported"
> & { readonly token_endpoint: string };

/** One login. Bound to a resource, an issuer and a client; never used with others. */
export interface Grant {
  readonly resource: string;
  readonly server: IssuerFacts;
  readonly client: ClientIdentity;
  readonly tokens?: Tokens;
}
