/** What a `WWW-Authenticate: Bearer` header asks for (RFC 6750 section 3, RFC 9728 section 5.1). */
export interface BearerChallenge {
  readonly resourceMetadataUrl?: string;
  readonly scopes?: readonly string[];
}

const PARAMETER = /(?:^|[\s,])([A-Za-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;
const SCOPE = /^[\u0021\u0023-\u005b\u005d-\u007e]{1,256}$/;
const MAX_SCOPES = 256;

/** Reads the Bearer challenge of a header; parameters that are not there, or not usable, are left out. */
export function bearerChallenge(header: string | undefined): BearerChallenge {
  const [, rest = ""] = /(?:^|,\s*)Bearer(?:\s+(.*))?$/is.exec(header ?? "") ?? [];
  const found = new Map<string, string>();
  for (const [, name = "", quoted, bare] of rest.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, "$1") ?? bare ?? "");
  }
  const url = found.get("resource_metadata");
  const scopes = (found.get("scope") ?? "").split(" ").filter((scope) => SCOPE.test(scope));
  return {
    ...(url !== undefined && { resourceMetadataUrl: url }),
    ...(scopes.length > 0 && { scopes: scopes.slice(0, MAX_SCOPES) }),
  };
}
