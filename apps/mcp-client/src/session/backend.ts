import type { Failure } from "../client/failure.ts";
import type { ServerConfig } from "../config/schema.ts";
import { notSent } from "../errors.ts";
import { isMembers } from "../protocol/json-rpc.ts";

/** What a resolver is told when its session connects. */
export interface ResolveOptions {
  /** Whether this is the session's first connection or one that replaces a lost one. */
  readonly reason: "first" | "reconnect";
  /** Fires when the session is closed meanwhile. */
  readonly signal: AbortSignal;
}

/** The server of a session: its configuration, or trusted code that finds it at each connect. */
export type Backend = ServerConfig | ((o: ResolveOptions) => ServerConfig | Promise<ServerConfig>);

export type ResolvedBackend = { kind: "ok"; raw: unknown } | { kind: "failed"; failure: Failure };

/** Asks the resolver, and lays the settings over what it gives. That is checked like any configuration; a throw is `invalid_config`. */
export async function resolveBackend(
  backend: Backend,
  configName: string | undefined,
  o: ResolveOptions,
): Promise<ResolvedBackend> {
  const base = await baseOf(backend, o);
  if (base.kind === "failed" || configName === undefined || !isMembers(base.raw)) return base;
  const { overlaySettings } = await import("../settings/overlay.ts");
  const overlaid = await overlaySettings(configName, base.raw);
  return overlaid.kind === "ok" ? overlaid : { kind: "failed", failure: overlaid };
}

async function baseOf(backend: Backend, o: ResolveOptions): Promise<ResolvedBackend> {
  if (typeof backend !== "function") return { kind: "ok", raw: backend };
  try {
    return { kind: "ok", raw: await backend(o) };
  } catch (cause) {
    const message = "The session's resolver threw instead of giving a server configuration.";
    return { kind: "failed", failure: { error: notSent("invalid_config", message, { cause }) } };
  }
}
