import type { GuardedRequest, GuardRefusal, HttpGuard } from "@postern/protocol/http";
import { hasTokenForm, type TokenRecord, tokenSha256 } from "./bearer-token.ts";
import { readCredentials } from "./credentials.ts";
import { knownConnections } from "./known-connections.ts";
import { equalSecret } from "./secret.ts";

/** Why a request was refused; the log may tell apart what the answer must not. */
export type RefusalReason =
  | "host_refused"
  | "origin_refused"
  | "no_token"
  | "malformed_token"
  | "unknown_token"
  | "expired_token"
  | "revoked_token"
  | "insufficient_scope";

/** How requests are judged. */
export interface HttpGuardOptions {
  /** The only `Host` values that are served, port included; a loopback listener has `hosts` for this. */
  readonly hosts: () => readonly string[];
  /** The only `Origin` values that are served; a request without one is no page's. */
  readonly origins: () => readonly string[];
  /** The record of this SHA-256. Asked at every request, so a revocation holds from the next one. */
  readonly findToken: (sha256: string) => Promise<TokenRecord | undefined>;
  /** What every request needs. */
  readonly scopes: readonly string[];
  /** Scopes that a scope brings with it, by name. */
  readonly implies?: Readonly<Record<string, readonly string[]>>;
  /** RFC 9728 metadata that the challenge points to. */
  readonly resourceMetadataUrl?: string;
  /** How the token comes: as a bearer token, or as the password of Basic credentials. @default "bearer" */
  readonly scheme?: "bearer" | "basic";
  readonly now: () => number;
  /** Called with a token that was used, at most once a minute for each. */
  readonly onUse?: (record: TokenRecord) => void;
  readonly onRefusal?: (reason: RefusalReason) => void;
}

const useIntervalMs = 60_000;

/**
 * Judges requests in the order Host, Origin, token, scope, from their headers alone. Host and Origin are compared
 * byte for byte, so a page that reaches this listener through a name of its own is refused.
 */
export function httpGuard(options: HttpGuardOptions): HttpGuard {
  const { now, onUse, onRefusal } = options;
  const lastUses = new Map<string, number>();

  const noteUse = (record: TokenRecord): void => {
    const last = Math.max(lastUses.get(record.id) ?? 0, record.lastUsedAt ?? 0);
    if (now() - last < useIntervalMs) return;
    lastUses.set(record.id, now());
    onUse?.(record);
  };

  return async (request) => {
    const place = judgePlace(request, options);
    if (place !== undefined) {
      onRefusal?.(place.code);
      return place;
    }
    const holder = await judgeToken(request, options);
    if (typeof holder === "string") {
      onRefusal?.(holder);
      return unauthorized(options, holder);
    }
    const scopes = withImplied(holder.scopes, options.implies ?? {});
    if (!options.scopes.every((scope) => scopes.includes(scope))) {
      onRefusal?.("insufficient_scope");
      return insufficientScope(options);
    }
    noteUse(holder);
    knownConnections.add(request.connection);
    return { ok: true, principal: { subject: holder.subject, scopes } };
  };
}

function judgePlace(
  { headers }: GuardedRequest,
  { hosts, origins }: HttpGuardOptions,
): (GuardRefusal & { readonly code: "host_refused" | "origin_refused" }) | undefined {
  const [host, ...moreHosts] = headers["host"] ?? [];
  if (host === undefined || moreHosts.length > 0 || !hosts().includes(host)) {
    return forbidden("host_refused", "The Host header does not name this server.");
  }
  const [origin, ...moreOrigins] = headers["origin"] ?? [];
  if (origin !== undefined && (moreOrigins.length > 0 || !origins().includes(origin))) {
    return forbidden("origin_refused", "Pages of this origin are not served.");
  }
  return undefined;
}

/** The record of a token that is valid now, or why there is none. */
async function judgeToken(
  request: GuardedRequest,
  { scheme = "bearer", findToken, now }: HttpGuardOptions,
): Promise<TokenRecord | RefusalReason> {
  const token = readCredentials(request.headers["authorization"] ?? [], scheme);
  if (token === undefined) return "no_token";
  if (scheme === "bearer" && !hasTokenForm(token.reveal())) return "malformed_token";
  const sha256 = tokenSha256(token);
  const record = await findToken(sha256);
  if (record === undefined || !equalSecret(record.sha256, sha256)) return "unknown_token";
  if (record.revokedAt !== undefined && record.revokedAt <= now()) return "revoked_token";
  if (record.expiresAt !== undefined && record.expiresAt <= now()) return "expired_token";
  return record;
}

/** The scopes held, and those they bring, and those that these bring. */
function withImplied(
  held: readonly string[],
  implies: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const scopes = new Set(held);
  // A set may grow while it is walked; the new members are walked too.
  for (const scope of scopes) {
    if (Object.hasOwn(implies, scope)) for (const more of implies[scope] ?? []) scopes.add(more);
  }
  return [...scopes];
}

function forbidden<C extends string>(
  code: C,
  message: string,
  headers: Record<string, string> = {},
): GuardRefusal & { readonly code: C } {
  return { ok: false, status: 403, code, message, headers };
}

/** RFC 6750, section 3.1: no error code where no token was shown; one and the same for every bad token. */
function unauthorized(options: HttpGuardOptions, reason: RefusalReason): GuardRefusal {
  return {
    ok: false,
    status: 401,
    code: "unauthorized",
    message: "A valid token is needed.",
    headers: {
      "www-authenticate": challenge(
        options,
        reason === "no_token" ? {} : { error: "invalid_token" },
      ),
    },
  };
}

function insufficientScope(options: HttpGuardOptions): GuardRefusal {
  const scope = options.scopes.join(" ");
  return forbidden("insufficient_scope", `This needs the scopes: ${scope}.`, {
    "www-authenticate": challenge(options, { error: "insufficient_scope", scope }),
  });
}

function challenge(
  { scheme, resourceMetadataUrl }: HttpGuardOptions,
  fields: Readonly<Record<string, string>>,
): string {
  if (scheme === "basic") return 'Basic realm="postern", charset="UTF-8"';
  const metadata =
    resourceMetadataUrl === undefined ? {} : { resource_metadata: resourceMetadataUrl };
  const all = { realm: "postern", ...fields, ...metadata };
  return `Bearer ${Object.entries(all)
    .map(([name, value]) => `${name}="${value}"`)
    .join(", ")}`;
}
