import { type TokenScope, tokenScopes } from "./token-scopes.ts";

/** What is asked of the tokens for HTTP. */
export type TokenRequest =
  | { readonly what: "new"; readonly name: string; readonly scope: TokenScope }
  | { readonly what: "list" }
  | { readonly what: "revoke"; readonly name: string };

/** Where to listen; without a host on loopback. */
export interface HttpAddress {
  readonly host?: string;
  readonly port: number;
}

interface TokenValues {
  readonly name?: string | undefined;
  readonly scope?: string | undefined;
}

/** Reads what follows `token`, or says in a sentence what is wrong with it. */
export function readTokenRequest(
  [what, revoked, ...surplus]: readonly string[],
  { name, scope }: TokenValues,
): TokenRequest | string {
  if (surplus.length > 0) return "Too many arguments for token.";
  if (what === "list" && revoked === undefined) return { what };
  if (what === "revoke" && revoked !== undefined) return { what, name: revoked };
  if (what !== "new" || revoked !== undefined) {
    return "token takes new --name NAME --scope read|write, list, or revoke NAME.";
  }
  const known = tokenScopes.find((candidate) => candidate === scope);
  if (known === undefined) return `token new takes --scope ${tokenScopes.join(" or ")}.`;
  // Receipts are kept by name; the person at the pipe is "user" there, and no token may pose as that.
  if (name === undefined || !/^[A-Za-z0-9._-]{1,64}$/.test(name) || name === "user") {
    return "token new takes --name: letters, digits, dot, underscore and hyphen, at most 64, not user.";
  }
  return { what, name, scope: known };
}

/** Reads `PORT`, `HOST:PORT` or `[ADDRESS]:PORT`. */
export function readAddress(text: string | undefined): HttpAddress | undefined | string {
  if (text === undefined) return undefined;
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]:|([^:]+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (!(port <= 65_535)) return "--http takes PORT or HOST:PORT.";
  const host = bracketed ?? plain;
  return host === undefined ? { port } : { host, port };
}
