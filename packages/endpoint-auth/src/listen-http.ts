import type { Server } from "node:http";
import { isIP, type AddressInfo, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { type AddressKind, addressKind } from "./address-kind.ts";
import { EndpointAuthError } from "./errors.ts";
import { knownConnections } from "./known-connections.ts";

/** Where and how a listener listens. */
export interface ListenOptions {
  /** An address, or `localhost`. @default "127.0.0.1" */
  readonly host?: string;
  /** 0 lets the system choose. @default 0 */
  readonly port?: number;
  /** Lets `host` be an address that other machines reach. @default false */
  readonly allowRemote?: boolean;
  /** @default 256 */
  readonly maxConnections?: number;
  /** Of these, how many may be open without a request that a guard let through. @default 64 */
  readonly maxUnknownConnections?: number;
  /** Milliseconds for the headers of a request, 100..600 000. @default 10 000 */
  readonly headersTimeoutMs?: number;
  /** Milliseconds for a whole request. @default 30 000 */
  readonly requestTimeoutMs?: number;
}

export type ListenOutcome =
  | {
      readonly kind: "listening";
      /** For example `http://127.0.0.1:4123`. */
      readonly origin: string;
      readonly port: number;
      /** The `Host` values by which this listener is rightly reached. */
      readonly hosts: readonly string[];
      readonly close: () => Promise<void>;
    }
  | {
      readonly kind: "refused";
      readonly code: "remote_not_allowed" | "address_unavailable";
      readonly message: string;
    };

/** How often slow connections are looked for. Node's own 30 s would void every shorter limit. */
const checkIntervalMs = 1_000;
const maxHeaderBytes = 16_384;

/**
 * Opens a fastify app to HTTP. Loopback only, unless told otherwise; slow and unknown connections are dropped, the
 * oldest first, so that they keep nobody else out.
 */
export async function listenHttp(
  app: FastifyInstance,
  options: ListenOptions = {},
): Promise<ListenOutcome> {
  const { host = "127.0.0.1", port = 0, allowRemote = false } = options;
  const address = host === "localhost" ? "127.0.0.1" : host;
  const kind = kindOf(address);
  if (kind === undefined || kind === "unspecified") {
    return unavailable(`${host} is not one address of this machine; give the address itself.`);
  }
  const loopback = kind === "loopback";
  if (!loopback && !allowRemote) {
    return {
      kind: "refused",
      code: "remote_not_allowed",
      message: `${host} is reached from other machines, which was not allowed.`,
    };
  }
  harden(app.server, options);
  try {
    await app.listen({ host: address, port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!unavailableCodes.has(code)) throw error;
    return unavailable(`${host}:${String(port)} cannot be listened on (${code}).`);
  }
  const bound = (app.server.address() as AddressInfo).port;
  const hosts = namesOf(address, loopback).map((name) => `${name}:${String(bound)}`);
  return {
    kind: "listening",
    origin: `http://${hosts[0] ?? ""}`,
    port: bound,
    hosts,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** Undefined for a name and for an unusual spelling, under which no `Host` could be recognised. */
function kindOf(address: string): AddressKind | undefined {
  try {
    return isIP(address) === 0 ? undefined : addressKind(address);
  } catch (error) {
    if (error instanceof EndpointAuthError) return undefined;
    throw error;
  }
}

const unavailableCodes = new Set(["EADDRINUSE", "EADDRNOTAVAIL", "EACCES"]);

function unavailable(message: string): ListenOutcome {
  return { kind: "refused", code: "address_unavailable", message };
}

function namesOf(address: string, loopback: boolean): readonly string[] {
  const own = isIP(address) === 6 ? `[${address}]` : address;
  return loopback ? [own, "localhost"] : [own];
}

function harden(server: Server, options: ListenOptions): void {
  // Both are read when the server starts to listen and when a connection comes, not when it was made.
  Object.assign(server, {
    connectionsCheckingInterval: checkIntervalMs,
    maxHeaderSize: maxHeaderBytes,
  });
  server.headersTimeout = options.headersTimeoutMs ?? 10_000;
  server.requestTimeout = options.requestTimeoutMs ?? 30_000;
  server.maxConnections = options.maxConnections ?? 256;
  const maxUnknown = options.maxUnknownConnections ?? 64;
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    const unknown = [...open].filter((each) => !knownConnections.has(each));
    for (const oldest of unknown.slice(0, Math.max(0, unknown.length - maxUnknown))) {
      oldest.destroy();
    }
  });
}
