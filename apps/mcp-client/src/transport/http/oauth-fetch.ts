import type { LookupAddress } from "node:dns";
import type { IncomingMessage, RequestOptions } from "node:http";
import type { AddressKind } from "@postern/endpoint-auth";
import { notSent, type ClientError } from "../../errors.ts";

export interface OAuthFetchOptions {
  /** Whether addresses of private networks, and of this machine, may be connected to. */
  readonly allowPrivate: boolean;
  readonly signal?: AbortSignal | undefined;
  /** @default 10_000 */
  readonly timeoutMs?: number;
}

/** What a request of OAuth may say. */
export interface OAuthRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

const TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 256 * 1_024;
const MAX_HEADER_BYTES = 16 * 1_024;
// A response with one of these must not be built with a body.
const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);
const NEVER: ReadonlySet<AddressKind> = new Set(["multicast", "unspecified", "reserved"]);

/**
 * One request to an address that was judged first and is then the one connected to: https, or http to this
 * machine. Nothing is followed, kept or decompressed, and body and time are capped. Throws a `ClientError`.
 */
export async function oauthFetch(
  url: URL,
  request: OAuthRequest,
  o: OAuthFetchOptions,
): Promise<Response> {
  const limit = AbortSignal.timeout(o.timeoutMs ?? TIMEOUT_MS);
  const signal = o.signal ? AbortSignal.any([o.signal, limit]) : limit;
  try {
    const address = await judgedAddress(url, o.allowPrivate);
    return await exchange(url, request, address, signal);
  } catch (error) {
    if (o.signal?.aborted) throw notSent("aborted", "The caller gave up.", { cause: error });
    if (!limit.aborted) throw error;
    throw notSent("timeout", `${url.origin} did not answer in time.`, { cause: error });
  }
}

/** What kinds of network a host's addresses belong to. */
export async function networksOf(url: URL): Promise<readonly AddressKind[]> {
  const addresses = await resolve(url);
  const { addressKind } = await import("@postern/endpoint-auth");
  return addresses.map(({ address }) => addressKind(address));
}

async function judgedAddress(url: URL, allowPrivate: boolean): Promise<LookupAddress> {
  const { addressKind } = await import("@postern/endpoint-auth");
  const local = url.protocol === "http:";
  if ((!local && url.protocol !== "https:") || url.username !== "" || url.password !== "") {
    throw notSent("oauth_insecure_endpoint", `${url.origin} is no https address.`);
  }
  for (const found of await resolve(url)) {
    const kind = addressKind(found.address);
    const fits = local
      ? kind === "loopback" && allowPrivate
      : kind === "public" || (allowPrivate && !NEVER.has(kind));
    if (fits) return found;
  }
  if (local) {
    const message = `${url.origin} is neither https nor on this machine.`;
    throw notSent("oauth_insecure_endpoint", message);
  }
  throw notSent(
    "address_refused",
    `${url.origin} leads into a private network, where a server outside must not send this client. ` +
      "If that is right, set allowPrivateNetwork.",
  );
}

async function resolve(url: URL): Promise<readonly LookupAddress[]> {
  const dns = process.getBuiltinModule("node:dns");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  try {
    return await dns.promises.lookup(host, { all: true });
  } catch (error) {
    throw notSent("connect_failed", `The name of ${url.origin} cannot be resolved.`, {
      cause: error,
    });
  }
}

function exchange(
  url: URL,
  { method = "GET", headers, body }: OAuthRequest,
  { address, family }: LookupAddress,
  signal: AbortSignal,
): Promise<Response> {
  const secure = url.protocol === "https:";
  const options: RequestOptions & { servername?: string } = {
    method,
    host: address,
    family,
    port: url.port === "" ? (secure ? 443 : 80) : url.port,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      host: url.host,
      "accept-encoding": "identity",
      ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
    },
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
    ...(secure && { servername: nameForTls(url), rejectUnauthorized: true }),
  };
  return new Promise((resolve, reject) => {
    const request = secure
      ? process.getBuiltinModule("node:https").request(options)
      : process.getBuiltinModule("node:http").request(options);
    request.on("error", (error) => reject(failed(url, error)));
    request.on("response", (response) => {
      readBody(response, url).then((bytes) => resolve(responseOf(response, bytes)), reject);
    });
    request.end(body);
  });
}

/** An address in place of a name sends no server name. */
function nameForTls({ hostname }: URL): string {
  return process.getBuiltinModule("node:net").isIP(hostname.replace(/^\[|\]$/g, ""))
    ? ""
    : hostname;
}

async function readBody(response: IncomingMessage, url: URL): Promise<Buffer> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw tooLarge(url);
      chunks.push(chunk);
    }
  } catch (error) {
    response.destroy();
    throw failed(url, error);
  }
  if (encoding === "identity") return Buffer.concat(chunks);
  throw notSent("unparsable_reply", `${url.origin} answered in an encoding nobody asked for.`);
}

function responseOf(response: IncomingMessage, body: Buffer): Response {
  const status = response.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    // Cookies are neither kept nor shown.
    if (name !== "set-cookie")
      headers.set(name, Array.isArray(value) ? value.join(", ") : (value ?? ""));
  }
  return new Response(NULL_BODY_STATUSES.has(status) ? null : new Uint8Array(body), {
    status,
    headers,
  });
}

function tooLarge(url: URL): ClientError {
  const limit = `${String(MAX_BODY_BYTES / 1_024)} KiB`;
  return notSent("message_too_large", `${url.origin} answered with more than ${limit}.`);
}

function failed(url: URL, error: unknown): unknown {
  if (!(error instanceof Error) || error.name === "ClientError") return error;
  const code = "code" in error ? String(error.code) : error.name;
  if (/CERT|TLS|SSL|SIGNED|ISSUER|ALTNAME/.test(code)) {
    return notSent("tls_failed", `The certificate of ${url.origin} was refused (${code}).`, {
      cause: error,
    });
  }
  const early = code === "ECONNREFUSED" || code === "EHOSTUNREACH" || code === "ENETUNREACH";
  return notSent(
    early ? "connect_failed" : "connection_lost",
    `${url.origin} ${early ? "cannot be reached" : "broke off"} (${code}).`,
    { cause: error },
  );
}
