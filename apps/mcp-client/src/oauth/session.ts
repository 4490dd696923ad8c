import { ClientError, notSent } from "../errors.ts";
import type { Outcome } from "../outcome.ts";
import { clientErrorOf, concluded } from "./conclude.ts";
import type { ResolvedOAuthConfig } from "./config.ts";
import type { Flow } from "./flow.ts";
import type { Grant, Tokens } from "./grant.ts";
import type { OAuthHttp } from "./http.ts";
import type {
  Access,
  BeginOptions,
  Challenge,
  LoginOptions,
  LogoutReport,
  OAuth,
  OAuthState,
  PendingLogin,
  Verdict,
} from "./oauth.ts";
import type { Vault } from "./vault.ts";
import type { Secret } from "@postern/endpoint-auth";

export interface OAuthSessionOptions {
  readonly config: ResolvedOAuthConfig;
  readonly endpoint: URL;
  readonly storeName: string | undefined;
  /** A client metadata document to offer where the configuration names no identity. */
  readonly candidateUrl: string | undefined;
}

const REVOCATION_MS = 5_000;
const CALLBACK_PATH = "/oauth/callback";

/** One login and its tokens. Every module that talks to a server is loaded when it first does. */
export class OAuthSession implements OAuth {
  readonly #o: OAuthSessionOptions;
  readonly #closing = new AbortController();
  #vault: Promise<Vault> | undefined;
  #login: Promise<Outcome<OAuthState>> | undefined;
  #refresh: Promise<Tokens> | undefined;
  #challenge: Challenge | undefined;
  #refused: string | undefined;

  constructor(o: OAuthSessionOptions) {
    this.#o = o;
  }

  begin(o: BeginOptions): Promise<Outcome<PendingLogin>> {
    const signal = this.#signal(o.signal);
    return concluded(async () => {
      const flow = await this.#begin(o, await this.#open());
      return {
        authorizationUrl: flow.authorizationUrl,
        finish: (callbackUrl: string) =>
          concluded(() => this.#finish(flow, new URL(callbackUrl).searchParams, signal), signal),
      };
    }, signal);
  }

  login(o: LoginOptions = {}): Promise<Outcome<OAuthState>> {
    const signal = this.#signal(o.signal);
    this.#login ??= concluded(() => this.#loginOnce(o, signal), signal).finally(() => {
      this.#login = undefined;
    });
    return this.#login;
  }

  state(): Promise<Outcome<OAuthState>> {
    return concluded(async () => {
      const vault = await this.#open();
      return this.#stateOf(await this.#grant(vault), vault);
    });
  }

  logout(): Promise<Outcome<LogoutReport>> {
    return concluded(async () => {
      const vault = await this.#open();
      const grant = await vault.load();
      await vault.change(() => undefined);
      if (!grant?.tokens) return { atServer: "not_revoked" };
      const { revoke } = await import("./revocation.ts");
      const http = await this.#http(undefined, REVOCATION_MS);
      return { atServer: await revoke(http, grant) };
    });
  }

  close(): void {
    this.#closing.abort();
    this.#refused = undefined;
    this.#challenge = undefined;
    void this.#vault?.then(
      (vault) => vault.close(),
      () => undefined,
    );
  }

  async access(o: { readonly signal?: AbortSignal } = {}): Promise<Access> {
    try {
      const { Secret } = await import("@postern/endpoint-auth");
      const { access, scopes } = await this.#tokens(o.signal);
      return { kind: "token", token: new Secret(access), scopes };
    } catch (error) {
      return { kind: "failed", error: clientErrorOf(error) };
    }
  }

  async heard(token: Secret, verdict: Verdict): Promise<void> {
    const access = token.reveal();
    if (verdict.kind !== "accepted") {
      this.#challenge = verdict.challenge;
      if (verdict.kind === "refused") this.#refused = access;
      return;
    }
    const vault = await this.#open();
    const grant = await vault.load();
    if (grant?.tokens?.access !== access || grant.tokens.verified) return;
    await vault.change((now) =>
      now?.tokens?.access === access ? { ...now, tokens: { ...now.tokens, verified: true } } : now,
    );
  }

  async #tokens(signal: AbortSignal | undefined): Promise<Tokens> {
    const { isUsable, loginRequired, refreshed } = await import("./refresh.ts");
    const vault = await this.#open();
    const grant = await this.#grant(vault);
    if (!grant?.tokens) throw loginRequired("Nobody is logged in.");
    if (isUsable(grant.tokens, this.#refused)) return grant.tokens;
    if (grant.tokens.refresh === undefined) throw loginRequired("The login has run out.");
    // A caller that gives up leaves the one request to the others who wait for it.
    this.#refresh ??= this.#http(undefined)
      .then((http) => refreshed({ vault, http, refused: this.#refused }))
      .finally(() => {
        this.#refresh = undefined;
      });
    return signal ? orAborted(this.#refresh, signal) : this.#refresh;
  }

  async #loginOnce(o: LoginOptions, signal: AbortSignal): Promise<OAuthState> {
    const { config } = this.#o;
    const vault = await this.#open();
    await vault.probe();
    const { awaitLoopbackRedirect } = await import("@postern/endpoint-auth");
    const redirect = await awaitLoopbackRedirect({
      host: config.redirectHost,
      port: config.redirectPort,
      path: CALLBACK_PATH,
      timeoutMs: config.loginTimeoutMs,
      signal,
    });
    try {
      const flow = await this.#begin({ ...o, signal, redirectUri: redirect.redirectUri }, vault);
      await o.onUrl?.(flow.authorizationUrl);
      return await this.#finish(flow, await redirect.result, signal);
    } finally {
      redirect.close();
    }
  }

  async #begin(o: BeginOptions, vault: Vault): Promise<Flow> {
    const { prepareFlow } = await import("./prepare-flow.ts");
    return prepareFlow({
      ...this.#o,
      http: await this.#http(o.signal),
      before: await this.#grant(vault),
      redirectUri: o.redirectUri,
      asked: o.scopes ?? this.#o.config.scopes,
      challenge: o.challenge ?? this.#challenge,
      acceptNewIssuer: o.acceptNewIssuer ?? false,
    });
  }

  async #finish(flow: Flow, answer: URLSearchParams, signal: AbortSignal): Promise<OAuthState> {
    const grant = await flow.finish(await this.#http(signal), answer);
    const vault = await this.#open();
    await vault.change(() => grant);
    this.#refused = undefined;
    this.#challenge = undefined;
    return this.#stateOf(grant, vault);
  }

  async #http(signal: AbortSignal | undefined, timeoutMs?: number): Promise<OAuthHttp> {
    const { oauthHttp } = await import("./http.ts");
    const { endpoint, config } = this.#o;
    const { allowPrivateNetwork } = config;
    return oauthHttp({
      endpoint,
      allowPrivateNetwork,
      signal: this.#signal(signal),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  }

  #signal(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
  }

  async #open(): Promise<Vault> {
    if (this.#closing.signal.aborted) throw notSent("login_cancelled", "The login is closed.");
    const { memoryVault, sealedVault } = await import("./vault.ts");
    const { storeName, endpoint } = this.#o;
    this.#vault ??=
      storeName === undefined ? Promise.resolve(memoryVault()) : sealedVault(storeName, endpoint);
    try {
      return await this.#vault;
    } catch (error) {
      this.#vault = undefined;
      throw error;
    }
  }

  /** What is kept, unless it was made for another issuer or client than the configured one. */
  async #grant(vault: Vault): Promise<Grant | undefined> {
    const grant = await vault.load();
    const { issuer, clientId } = this.#o.config;
    if (!grant || (issuer !== undefined && issuer !== grant.server.issuer)) return undefined;
    return clientId === undefined || clientId === grant.client.id ? grant : undefined;
  }

  #stateOf(grant: Grant | undefined, { protection }: Vault): OAuthState {
    if (!grant?.tokens) return { kind: "login_required", protection };
    const { expiresAt, refresh, scopes, verified, access } = grant.tokens;
    const renewable = refresh !== undefined;
    const ended = access === this.#refused || (expiresAt !== undefined && expiresAt <= Date.now());
    return {
      kind: ended && !renewable ? "login_required" : "logged_in",
      issuer: grant.server.issuer,
      clientId: grant.client.id,
      scopes,
      ...(expiresAt !== undefined && { expiresAt }),
      renewable,
      verified,
      protection,
    };
  }
}

async function orAborted<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new ClientError("aborted", "not_sent", "The caller gave up.");
  if (signal.aborted) throw aborted;
  let abort = (): void => undefined;
  const given = new Promise<never>((_resolve, reject) => {
    abort = () => reject(aborted);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([task, given]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
