import type { LookupAddress } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { ConnectError } from "./connect-error.ts";
import { openTunnel } from "./tunnel.ts";

/** The way to a server. */
export interface Route {
  readonly url: URL;
  /** Authorities to trust besides the system's, as PEM. */
  readonly ca: string | undefined;
  readonly proxy: { readonly url: URL; readonly authorization: string | undefined } | undefined;
}

/** Opens connections that are ready to carry a request: resolved, connected, tunnelled and verified. */
export class Connector {
  readonly #route: Route;
  /** Where `localhost` was found the first time. */
  #pinned: string | undefined;

  constructor(route: Route) {
    this.#route = route;
  }

  async connect(signal: AbortSignal): Promise<Socket> {
    const { url, proxy, ca } = this.#route;
    const target = { host: hostOf(url), port: portOf(url) };
    if (!proxy) {
      const socket = await this.#tcp(url, signal);
      return url.protocol === "https:" ? secure(socket, { url, ca, signal }) : socket;
    }
    const tcp = await this.#tcp(proxy.url, signal);
    const near =
      proxy.url.protocol === "https:" ? await secure(tcp, { url: proxy.url, ca, signal }) : tcp;
    const far = await openTunnel(near, { ...target, authorization: proxy.authorization, signal });
    return secure(far, { url, ca, signal });
  }

  async #tcp(url: URL, signal: AbortSignal): Promise<Socket> {
    const { connect } = process.getBuiltinModule("node:net");
    const host = hostOf(url);
    const isLocalhost = host === "localhost";
    const socket = connect({
      host: isLocalhost ? (this.#pinned ?? host) : host,
      port: portOf(url),
      noDelay: true,
      ...(isLocalhost && { lookup: loopbackLookup }),
    });
    await ready(socket, "connect", signal, (error) =>
      error instanceof ConnectError
        ? error
        : new ConnectError(
            "connect_failed",
            `Could not connect to ${url.origin}${because(error)}.`,
          ),
    );
    if (isLocalhost) this.#pinned = socket.remoteAddress;
    return socket;
  }
}

async function secure(
  socket: Socket,
  o: { url: URL; ca: string | undefined; signal: AbortSignal },
): Promise<TLSSocket> {
  const tls = process.getBuiltinModule("node:tls");
  const { isIP } = process.getBuiltinModule("node:net");
  const host = hostOf(o.url);
  const secured = tls.connect({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED changes what is not said.
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
    ...(o.ca !== undefined && { ca: [...tls.getCACertificates("default"), o.ca] }),
  });
  await ready(secured, "secureConnect", o.signal, (error) => {
    const message = `No trusted TLS connection to ${o.url.origin}${because(error)}.`;
    return new ConnectError("tls_failed", message);
  });
  return secured;
}

/** Waits for a socket to become usable; on failure it is destroyed. */
async function ready(
  socket: Socket,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
  failed: (error: Error) => ConnectError,
): Promise<void> {
  let onAbort = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      onAbort = () => reject(new Error("given up"));
      if (signal.aborted) onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      socket.once(event, resolve);
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("closed")));
    });
  } catch (error) {
    // A socket that fails once more while it is torn down has nobody left to tell.
    socket.on("error", () => undefined);
    socket.destroy();
    throw failed(error as Error);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function because(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return ` (${code ?? error.message})`;
}

/** `localhost` must mean this machine: a resolver that says otherwise is not followed. */
const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  const { lookup } = process.getBuiltinModule("node:dns");
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, "");
    const foreign = addresses.find(({ address }) => !/^(?:127\.|::1$)/.test(address));
    const [first] = addresses;
    if (foreign || !first) {
      const message = "The name localhost does not resolve to this machine.";
      return callback(new ConnectError("address_refused", message), "");
    }
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === "https:" ? 443 : 80));
}
