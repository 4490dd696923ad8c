import type { AuthInfo } from "@modelcontextprotocol/server";

/** Who calls. `subject` outlives tokens: receipts and audits are kept under it. */
export interface Principal {
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** What is known about a caller before any tool runs. */
export interface ServeContext {
  readonly principal: Principal;
  /** Route parameters of an HTTP mount; empty over stdio. */
  readonly params: Readonly<Record<string, string>>;
}

/** The transport's own end of a call, beside the SDK's: fires on cancellation and close. */
export type SignalOfRequest = (id: string | number) => AbortSignal | undefined;

/** The context of a call that no transport of ours described. */
export const anonymousContext: ServeContext = {
  principal: { subject: "anonymous", scopes: [] },
  params: {},
};

/**
 * Carries a `ServeContext` through the SDK, whose only per-connection slot is `authInfo`. The factory gets back
 * the very object, so nothing in it can come from the peer.
 */
export class ServedAuth implements AuthInfo {
  readonly token = "";
  readonly clientId: string;
  readonly scopes: string[];
  readonly context: ServeContext;
  readonly signalOf: SignalOfRequest | undefined;

  constructor(context: ServeContext, signalOf?: SignalOfRequest) {
    this.clientId = context.principal.subject;
    this.scopes = [...context.principal.scopes];
    this.context = context;
    this.signalOf = signalOf;
  }
}
