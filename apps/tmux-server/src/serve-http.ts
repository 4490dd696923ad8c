import { httpGuard, listenHttp } from "@postern/endpoint-auth";
import { mountMcp, refuseUnknownPath } from "@postern/protocol/http";
import { fastify } from "fastify";
import type { HttpAddress } from "./http-flags.ts";
import { serverFactory, toolsOf } from "./server.ts";
import type { TokenBook } from "./token-book.ts";
import type { WriteApp } from "./write-app.ts";

export interface ServeHttpOptions {
  readonly address: HttpAddress;
  readonly tokens: TokenBook;
  /** Ends serving: calls in flight may finish for five seconds. */
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const drainMs = 5_000;
/** The exit code for a port that cannot be listened on. */
const portNotAvailable = 3;

/** Serves MCP over HTTP to holders of tokens until it is told to stop. Resolves with the exit code. */
export async function serveHttp(app: WriteApp, options: ServeHttpOptions): Promise<number> {
  const { address, tokens, signal, print, printError } = options;
  const { log } = app;
  const http = fastify();
  let hosts: readonly string[] = [];
  const guard = httpGuard({
    hosts: () => hosts,
    origins: () => hosts.map((host) => `http://${host}`),
    findToken: tokens.find,
    scopes: ["read"],
    implies: { write: ["read"] },
    now: Date.now,
    onUse: (record) => {
      tokens
        .noteUse(record)
        .catch((error: unknown) => log("debug", "use_not_noted", { error: String(error) }));
    },
    onRefusal: (reason) => log("info", "request_refused", { reason }),
  });
  const writing = new Set(
    toolsOf(app)
      .filter(({ contract }) => contract.effect !== "read")
      .map(({ contract }) => contract.name),
  );
  http.addHook("onRequest", refuseUnknownPath);
  const mount = mountMcp(http, {
    factory: serverFactory(app, ({ principal }) => principal.scopes.includes("write")),
    guard,
    requiredScope: (tool) => (writing.has(tool) ? "write" : "read"),
    log,
  });
  const { host, port } = address;
  // Whoever names an address of another kind than the default has decided to be reached by it.
  const listener = await listenHttp(http, { port, ...(host && { host, allowRemote: true }) });
  if (listener.kind === "refused") {
    printError(`postern-tmux: ${listener.message}\n`);
    return portNotAvailable;
  }
  hosts = listener.hosts;
  print(`Listening on ${listener.origin}/mcp\n`);
  if ((await tokens.list()).length === 0) {
    printError("No token yet, so nobody is let in: postern-tmux token new --name N --scope read\n");
  }
  await stopped(signal);
  await mount.drain(drainMs);
  await listener.close();
  return 0;
}

async function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
