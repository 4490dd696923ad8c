import { createHash, randomBytes, randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import { Secret } from "./secret.ts";

/** What is kept of a token: everything but the token. */
export interface TokenRecord {
  readonly id: string;
  /** SHA-256 of the whole token, in lower-case hexadecimal. */
  readonly sha256: string;
  /** Who the holder is; outlives the token, and several tokens may name the same. */
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly label: string;
  /** Times are milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  readonly lastUsedAt?: number;
}

/** Who a new token is for, and what it allows. */
export interface TokenGrant {
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly label?: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
}

const secretBytes = 32;

/**
 * Makes a bearer token: the prefix, `_`, 43 random and 6 checking characters. Show it once; only the record is
 * to be stored, and nothing leads from it back to the token.
 */
export function createToken(
  prefix: string,
  grant: TokenGrant,
): { readonly token: Secret; readonly record: TokenRecord } {
  const body = `${prefix}_${randomBytes(secretBytes).toString("base64url")}`;
  const token = new Secret(`${body}${checkOf(body)}`);
  const record = {
    id: randomUUID(),
    label: grant.subject,
    ...grant,
    sha256: tokenSha256(token),
  };
  return { token, record };
}

/** What a record is found by. */
export function tokenSha256(token: Secret): string {
  return createHash("sha256").update(token.reveal(), "utf8").digest("hex");
}

/** Whether text can be a token at all: a mistyped or cut one shows without asking any store. */
export function hasTokenForm(text: string): boolean {
  const body = /^([a-z][a-z0-9]{0,31}_[A-Za-z0-9_-]{43})[A-Za-z0-9_-]{6}$/.exec(text)?.[1];
  return body !== undefined && text === `${body}${checkOf(body)}`;
}

function checkOf(body: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return sum.toString("base64url");
}
