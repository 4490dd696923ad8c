import { Account } from "../client/account.ts";
import { closeQuietly } from "../client/closing.ts";
import { clientOf } from "../client/connect.ts";
import { openConnection } from "../client/connection.ts";
import type { Failure } from "../client/failure.ts";
import type { Client, ClientOptions } from "../client/options.ts";
import { notSent } from "../errors.ts";
import type { CloseReport, Link } from "../transport/link.ts";
import type { ResolvedBackend, ResolveOptions } from "./backend.ts";

/** What a connecting came to. Its account holds what was noticed on the way. */
export type Ready =
  | { kind: "open"; client: Client; link: Link; account: Account }
  | { kind: "failed"; failure: Failure; account: Account };

/** The one connection of a session at a time: opened when first needed, replaced only when that was asked for. */
export class Line {
  readonly #resolve: (o: ResolveOptions) => Promise<ResolvedBackend>;
  readonly #options: ClientOptions & { reconnect?: "never" | "next_call" };
  readonly #abort = new AbortController();
  #current: Promise<Ready> | undefined;
  #reconnecting: Promise<Ready> | undefined;
  #closing: Promise<CloseReport> | undefined;
  #wasOpen = false;

  constructor(
    resolve: (o: ResolveOptions) => Promise<ResolvedBackend>,
    o: ClientOptions & { reconnect?: "never" | "next_call" },
  ) {
    this.#resolve = resolve;
    this.#options = o;
  }

  /** The connection for a call: made now if there was none yet. */
  async ready(): Promise<Ready> {
    if (this.#closing) return unusable("The session was closed.");
    this.#current ??= this.#open();
    const current = this.#current;
    const ready = await current;
    if (ready.kind === "open" && !ready.link.broken) return ready;
    if (!this.#wasOpen) {
      // Nothing was lost, so nothing is reconnected: the next call is a first call again.
      if (this.#current === current) this.#current = undefined;
      return ready;
    }
    if (this.#options.reconnect === "next_call") return this.#replace(current);
    return unusable("The connection of this session was lost; reconnect() opens a new one.");
  }

  /** A new connection in place of the present one. Concurrent callers share it. */
  async reconnect(): Promise<Ready> {
    if (this.#closing) return unusable("The session was closed.");
    this.#reconnecting ??= this.#replace(this.#current).finally(() => {
      this.#reconnecting = undefined;
    });
    return this.#reconnecting;
  }

  close(): Promise<CloseReport> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** Of several calls that find the same connection lost, the first opens another and the rest wait for it. */
  #replace(old: Promise<Ready> | undefined): Promise<Ready> {
    if (this.#current === undefined || this.#current === old) this.#current = this.#reopen(old);
    return this.#current;
  }

  async #reopen(old: Promise<Ready> | undefined): Promise<Ready> {
    const before = await old;
    if (before?.kind === "open") await closeQuietly(before.link);
    return this.#open();
  }

  async #open(): Promise<Ready> {
    const account = new Account("config");
    const { signal: own } = this.#abort;
    const { signal: given } = this.#options;
    const signal = given ? AbortSignal.any([given, own]) : own;
    const reason = this.#wasOpen ? "reconnect" : "first";
    const resolved = await this.#resolve({ reason, signal });
    if (resolved.kind === "failed") return { ...resolved, account };
    const opened = await openConnection(resolved.raw, { ...this.#options, signal, account });
    if (opened.kind === "failed") return { ...opened, account };
    this.#wasOpen = true;
    const { connection } = opened;
    return { kind: "open", client: clientOf(connection), link: connection.peer.link, account };
  }

  async #end(): Promise<CloseReport> {
    this.#abort.abort();
    const ready = await this.#current;
    return ready?.kind === "open" ? ready.link.close() : {};
  }
}

/** A call met a session that cannot carry it. */
export function unusable(message: string): Ready {
  const failure = { error: notSent("session_closed", message) };
  return { kind: "failed", failure, account: new Account("connect") };
}
