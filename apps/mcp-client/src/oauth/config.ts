import * as v from "valibot";
import { secretSourceSchema } from "../config/schema.ts";
import { notSent, type ClientError } from "../errors.ts";

const scope = v.pipe(v.string(), v.regex(/^[\u0021\u0023-\u005b\u005d-\u007e]{1,256}$/));

const oauthConfigSchema = v.strictObject({
  url: v.pipe(v.string(), v.maxLength(8_192), v.url()),
  clientId: v.optional(v.pipe(v.string(), v.regex(/^[\u0020-\u007e]{1,2048}$/))),
  clientSecretFrom: v.optional(secretSourceSchema),
  clientMetadataUrl: v.optional(v.union([v.literal(false), v.pipe(v.string(), v.url())])),
  dynamicRegistration: v.optional(v.boolean(), false),
  redirectHost: v.optional(v.picklist(["127.0.0.1", "localhost", "[::1]"]), "127.0.0.1"),
  redirectPort: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535)), 0),
  scopes: v.optional(v.pipe(v.array(scope), v.maxLength(256))),
  issuer: v.optional(v.pipe(v.string(), v.maxLength(8_192), v.url())),
  loginTimeoutMs: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(10_000), v.maxValue(1_800_000)),
    300_000,
  ),
  allowPrivateNetwork: v.optional(v.boolean(), false),
});

/** How to log in to one server; only `url` is needed. Nothing is asked over the network before a login. */
export type OAuthConfig = v.InferInput<typeof oauthConfigSchema>;

export type ResolvedOAuthConfig = v.InferOutput<typeof oauthConfigSchema>;

export type ParsedOAuthConfig =
  | { kind: "ok"; config: ResolvedOAuthConfig; endpoint: URL }
  | { kind: "invalid"; error: ClientError };

/** Checks a configuration and fills in defaults. Values are never shown. */
export function parseOAuthConfig(raw: unknown): ParsedOAuthConfig {
  const parsed = v.safeParse(oauthConfigSchema, raw);
  if (!parsed.success) {
    const keys = parsed.issues.map(({ path }) => JSON.stringify(path?.[0]?.key ?? "it"));
    return invalid("invalid_config", `${keys.join(", ")} cannot be used`);
  }
  const config = parsed.output;
  const endpoint = new URL(config.url);
  endpoint.hash = "";
  if (endpoint.username !== "" || endpoint.password !== "") {
    return invalid("credential_in_url", "its url holds a credential");
  }
  if (endpoint.protocol !== "https:" && !isLoopbackHttp(endpoint)) {
    return invalid("insecure_url", "its url is neither https nor http on this machine");
  }
  if (typeof config.clientMetadataUrl === "string" && !isMetadataUrl(config.clientMetadataUrl)) {
    return invalid("invalid_config", `"clientMetadataUrl" must be https and have a path`);
  }
  if (config.clientSecretFrom && config.clientId === undefined) {
    return invalid("invalid_config", `"clientSecretFrom" needs "clientId"`);
  }
  return { kind: "ok", config, endpoint };
}

/** http is only spoken to this machine; what the name resolves to is checked again when it is connected to. */
export function isLoopbackHttp({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function isMetadataUrl(text: string): boolean {
  const { protocol, pathname, hash } = new URL(text);
  return protocol === "https:" && pathname !== "/" && hash === "";
}

function invalid(
  code: "invalid_config" | "credential_in_url" | "insecure_url",
  problem: string,
): ParsedOAuthConfig {
  return { kind: "invalid", error: notSent(code, `The OAuth configuration: ${problem}.`) };
}
