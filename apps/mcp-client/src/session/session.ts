import type { Client, ClientOptions } from "../client/options.ts";
import type { Outcome } from "../outcome.ts";
import type { ServerInfo } from "../protocol/revision.ts";
import { resolveBackend, type Backend } from "./backend.ts";
import { Line, type Ready } from "./line.ts";
import { orAborted } from "./or-aborted.ts";

export interface SessionOptions extends ClientOptions {
  /**
   * What a call does after the connection was lost: answer `session_closed` until `reconnect()`, or open a new
   * connection first. Neither ever sends an earlier call again.
   * @default "never"
   */
  reconnect?: "never" | "next_call";
}

/** A client that connects at its first call and then stays connected. */
export interface Session extends Omit<Client, "info"> {
  /** What the server said of itself; undefined before the first connection. */
  readonly info: ServerInfo | undefined;
  /** Ends what is left of the old connection and opens a new one. What the old one held on the server is gone. */
  reconnect(): Promise<Outcome<ServerInfo>>;
}

/**
 * A lazy connection to one server: nothing is read, started or connected before the first call, and concurrent
 * first calls share one handshake. `configName` names an entry of the settings to lay over the backend.
 */
export function session(backend: Backend, configName?: string, o: SessionOptions = {}): Session {
  const line = new Line((why) => resolveBackend(backend, configName, why), o);
  let info: ServerInfo | undefined;
  const use = async <T>(
    signal: AbortSignal | undefined,
    work: (client: Client) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> => {
    const ready = noted(await orAborted(line.ready(), signal));
    if (ready.kind === "failed") return ready.account.fail(ready.failure);
    const outcome = await work(ready.client);
    // What was noticed while connecting is told once, by the call that connected.
    outcome.detail.warnings.unshift(...ready.account.warnings.splice(0));
    return outcome;
  };
  const noted = (ready: Ready): Ready => {
    if (ready.kind === "open") ({ info } = ready.client);
    return ready;
  };
  return {
    get info() {
      return info;
    },
    listTools: (o) => use(o?.signal, (client) => client.listTools(o)),
    callTool: (name, args, o) => use(o?.signal, (client) => client.callTool(name, args, o)),
    continueCall: (pending, responses, o) =>
      use(o?.signal, (client) => client.continueCall(pending, responses, o)),
    resumeCall: (token, o) => use(o?.signal, (client) => client.resumeCall(token, o)),
    request: (method, params, o) => use(o?.signal, (client) => client.request(method, params, o)),
    async reconnect() {
      const ready = noted(await line.reconnect());
      if (ready.kind === "failed") return ready.account.fail(ready.failure);
      return ready.account.succeed(ready.client.info, "not_sent");
    },
    close: () => line.close(),
  };
}
