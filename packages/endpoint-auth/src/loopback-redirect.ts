import { randomBytes } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { EndpointAuthError } from "./errors.ts";

export interface LoopbackRedirectOptions {
  /** The host that stands in the redirect URI and must stand in the request. @default "127.0.0.1" */
  readonly host?: "127.0.0.1" | "localhost" | "[::1]";
  /** @default 0, which lets the system choose */
  readonly port?: number;
  /** The path that is answered; a random one if there is none. */
  readonly path?: `/${string}`;
  /** How long to wait for the redirect, 10 000 to 1 800 000. @default 300_000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface LoopbackRedirect {
  /** Bound already: nothing else can answer under it. */
  readonly redirectUri: string;
  /** The query of the first fitting request. Rejects with a code `redirect_...`, or the signal's reason. */
  readonly result: Promise<URLSearchParams>;
  close(): void;
}

const MAX_STRAY_REQUESTS = 16;
const TIMEOUT_BOUNDS = [10_000, 1_800_000] as const;

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Postern</title>
<p>The answer has reached the program that asked for it. You can close this page.</p></html>
`;

/**
 * Listens on a loopback address for the one redirect that ends a login in a browser. Answers a fixed page that
 * repeats nothing of the request; anything but a GET of the path is refused, and 16 such requests end the wait.
 */
export async function awaitLoopbackRedirect(
  options: LoopbackRedirectOptions = {},
): Promise<LoopbackRedirect> {
  const { host = "127.0.0.1", port = 0, timeoutMs = 300_000, signal } = options;
  const path = options.path ?? `/${randomBytes(16).toString("base64url")}`;
  const [least, most] = TIMEOUT_BOUNDS;
  if (!(timeoutMs >= least && timeoutMs <= most)) {
    throw new RangeError(`timeoutMs must be ${String(least)} to ${String(most)}.`);
  }
  signal?.throwIfAborted();

  let strays = 0;
  const { promise: result, ...settle } = openPromise();
  // A caller that closes without waiting has no use for the rejection.
  result.catch(() => undefined);
  // An ES import of `node:http` reads all its exports and by that loads undici: 20 ms for everybody who imports us.
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer({ maxHeaderSize: 16 * 1024 }, (request, response) => {
    const query = queryOf(request, `${host}:${String(boundPort)}`, path);
    if (query !== undefined) {
      response.once("close", () => close());
      respond(response, 200, PAGE);
      return settle.resolve(query);
    }
    strays += 1;
    if (strays >= MAX_STRAY_REQUESTS) {
      response.once("close", () => close());
      const count = String(strays);
      settle.reject(
        refused("redirect_refused", `${count} foreign requests came instead of the redirect.`),
      );
    }
    respond(response, 400, "This is not the address the program waits at.\n");
  });
  server.maxConnections = MAX_STRAY_REQUESTS;
  const boundPort = await listen(server, host === "[::1]" ? "::1" : "127.0.0.1", port);

  const timer = setTimeout(() => {
    settle.reject(refused("redirect_timeout", `No redirect came within ${String(timeoutMs)} ms.`));
    close();
  }, timeoutMs);
  const abort = (): void => {
    settle.reject(signal?.reason);
    close();
  };
  signal?.addEventListener("abort", abort, { once: true });
  const close = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    server.close();
    server.closeAllConnections();
    settle.reject(refused("redirect_closed", "The wait for the redirect was ended."));
  };
  return {
    redirectUri: `http://${host}:${String(boundPort)}${path}`,
    result,
    close,
  };
}

interface Settling {
  resolve(query: URLSearchParams): void;
  reject(reason: unknown): void;
}

function openPromise(): Settling & { promise: Promise<URLSearchParams> } {
  const settling: Settling = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<URLSearchParams>((resolve, reject) => {
    Object.assign(settling, { resolve, reject });
  });
  return { promise, ...settling };
}

/** The query of a request that is the redirect: our own Host (against rebound names), GET, the exact path. */
function queryOf(request: IncomingMessage, host: string, path: string) {
  const { method, url = "", headers } = request;
  const cut = url.indexOf("?");
  const fits = method === "GET" && headers.host === host && url.slice(0, cut) === path;
  return cut !== -1 && fits ? new URLSearchParams(url.slice(cut + 1)) : undefined;
}

function respond(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    "Content-Type": status === 200 ? "text/html; charset=utf-8" : "text/plain; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
  });
  response.end(body);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", reject);
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new Error("The listener has no address."));
    });
  });
}

function refused(
  code: "redirect_timeout" | "redirect_refused" | "redirect_closed",
  message: string,
): EndpointAuthError {
  return new EndpointAuthError(code, message);
}
