import type { Secret } from "@postern/endpoint-auth";
import type { ClientError } from "../errors.ts";
import type { Outcome } from "../outcome.ts";

export interface BeginOptions {
  /** Where the answer will arrive. */
  readonly redirectUri: string;
  readonly scopes?: readonly string[];
  /** What the server said when it refused a request; the last one heard if absent. */
  readonly challenge?: Challenge;
  /** Lets go of a login at another issuer. */
  readonly acceptNewIssuer?: boolean;
  readonly signal?: AbortSignal;
}

/** The parts of a `WWW-Authenticate: Bearer` header that a login needs (RFC 9728, RFC 6750). */
export interface Challenge {
  readonly resourceMetadataUrl?: string;
  readonly scopes?: readonly string[];
}

export interface PendingLogin {
  /** To be opened in the person's browser. Do not log it: it is part of the login. */
  readonly authorizationUrl: string;
  /** Takes the URL the browser was sent to. Works once. */
  finish(callbackUrl: string): Promise<Outcome<OAuthState>>;
}

export interface LoginOptions extends Omit<BeginOptions, "redirectUri"> {
  /** Told the address to open as soon as it is known, before the wait begins. */
  onUrl?(authorizationUrl: string): void | Promise<void>;
}

/** What is known of a login, without any token. */
export interface OAuthState {
  readonly kind: "logged_in" | "login_required";
  readonly issuer?: string;
  readonly clientId?: string;
  readonly scopes?: readonly string[];
  /** When the access token ends, in milliseconds since 1970; it is renewed by itself if `renewable`. */
  readonly expiresAt?: number;
  readonly renewable?: boolean;
  /** Whether the server has answered a request made under this login. */
  readonly verified?: boolean;
  /** Where it is kept. */
  readonly protection: "keychain" | "key_file" | "memory";
}

export interface LogoutReport {
  /** What the authorization server made of it; here the login is gone in every case. */
  readonly atServer: "revoked" | "not_revoked" | "unknown";
}

export type Access =
  | { kind: "token"; token: Secret; scopes: readonly string[] }
  | { kind: "failed"; error: ClientError };

/** A login at one server. Nothing is asked over the network before the first of these is called. */
export interface OAuth {
  begin(o: BeginOptions): Promise<Outcome<PendingLogin>>;
  /** Waits on a loopback address for the person to log in. Only one at a time; a second call joins the first. */
  login(o?: LoginOptions): Promise<Outcome<OAuthState>>;
  state(): Promise<Outcome<OAuthState>>;
  /** Forgets the login, then asks the authorization server once to revoke it. */
  logout(): Promise<Outcome<LogoutReport>>;
  /** Ends a pending login and wipes what is in memory. */
  close(): void;
  /** For a transport: the token for the next request, renewed first if it is known to have ended. */
  access(o?: { readonly signal?: AbortSignal }): Promise<Access>;
  /** For a transport: what the server made of a request under this token. */
  heard(token: Secret, verdict: Verdict): Promise<void>;
}

export type Verdict =
  | { kind: "accepted" }
  /** 401: the token is renewed before the caller's next request. */
  | { kind: "refused"; challenge: Challenge }
  /** 403: the token is good, but for less than what was asked. */
  | { kind: "insufficient_scope"; challenge: Challenge };
