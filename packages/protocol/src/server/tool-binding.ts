import type { AnyContract, InputOf, JsonObject, OutputOf, ProtocolRevision } from "../index.ts";
import type { ServeContext } from "./serve-context.ts";

/** What a handler knows about its call. */
export interface ToolContext extends ServeContext {
  /** Fires on cancellation, on close and drain, and on an HTTP disconnect under 2026-07-28. */
  readonly signal: AbortSignal;
  readonly revision: ProtocolRevision;
  /** The validated arguments as they were sent: before defaults, without `requestId`. What a receipt's fingerprint covers. */
  readonly sentArguments: JsonObject;
  /** The request's `_meta` as it was sent; part of no fingerprint. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Tells the caller how far the call is, if it asked to be told; `done` must grow. */
  readonly reportProgress: (done: number, total?: number, message?: string) => void;
}

/** Every call of a contract that declares `requestId` has one, sent or minted. */
export interface RequestIdentity {
  readonly requestId: string;
  /** The caller sent none, so the server minted one; the output must carry it. */
  readonly requestIdMinted: boolean;
}

/** The context a handler of contract `C` gets. */
export type ContextOf<C extends AnyContract> = C extends {
  readonly requestId: "required" | "optional";
}
  ? ToolContext & RequestIdentity
  : ToolContext;

/** A contract with the handler that serves it. */
export interface ToolBinding {
  readonly contract: AnyContract;
  readonly handle: (
    args: unknown,
    context: ToolContext & Partial<RequestIdentity>,
  ) => Promise<unknown>;
}

/** Binds a handler to a contract. The handler gets parsed arguments and returns the output, or throws a `ToolError`. */
export function bindTool<const C extends AnyContract>(
  contract: C,
  handler: (args: InputOf<C>, context: ContextOf<C>) => Promise<OutputOf<C>>,
): ToolBinding {
  return {
    contract,
    // The one place that trusts: callTool has parsed the arguments with this very contract.
    handle: (args, context) => handler(args as InputOf<C>, context as ContextOf<C>),
  };
}
