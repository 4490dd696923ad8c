import { notSent, type ClientError } from "../errors.ts";
import type { ResolvedHttpConfig } from "./http-schema.ts";
import { checkProxyUrl, checkServerUrl } from "./url.ts";

const MAX_HEADERS = 64;
const MAX_HEADER_BYTES = 16 * 1_024;
/** Headers that this client writes itself, or that would change how the connection is read. */
const REFUSED_HEADER =
  /^(?:mcp-.*|accept|accept-encoding|content-.*|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|cookie.*|last-event-id)$/i;

/** What the schema cannot say about a server over HTTP. No value is ever quoted. */
export function httpProblem(config: ResolvedHttpConfig, where: string): ClientError | undefined {
  const server = checkServerUrl(config.url);
  if (server.kind === "refused") {
    return notSent(server.problem.code, `${where} has an unusable "url": ${server.problem.why}.`);
  }
  const tokens = (["authToken", "authTokenFrom", "oauth"] as const).filter(
    (field) => config[field] !== undefined,
  );
  if (tokens.length > 1) return invalid(where, `it has ${tokens.join(" and ")}; give one of them`);
  if (config.authToken !== undefined && !isTokenText(config.authToken)) {
    return invalid(where, '"authToken" holds something else than visible ASCII');
  }
  return proxyProblem(config, where, server.url) ?? headerProblem(config, where, tokens.length > 0);
}

function proxyProblem(
  { proxy, proxyFrom }: ResolvedHttpConfig,
  where: string,
  server: URL,
): ClientError | undefined {
  if (proxy === undefined) {
    return proxyFrom && invalid(where, 'it has "proxyFrom" without "proxy"');
  }
  const checked = checkProxyUrl(proxy);
  if (checked.kind === "refused") {
    return notSent(
      checked.problem.code,
      `${where} has an unusable "proxy": ${checked.problem.why}.`,
    );
  }
  if (server.protocol === "https:") return undefined;
  return invalid(where, "a proxy leads to https servers only: http is for this machine");
}

function headerProblem(
  config: ResolvedHttpConfig,
  where: string,
  hasToken: boolean,
): ClientError | undefined {
  const names = [...Object.keys(config.headers), ...Object.keys(config.headersFrom)];
  const refused = names.find((name) => REFUSED_HEADER.test(name));
  if (refused !== undefined) {
    return forbidden(where, `the header ${refused} is this client's own and cannot be set`);
  }
  if (hasToken && names.some((name) => name.toLowerCase() === "authorization")) {
    return forbidden(where, "the header Authorization stands beside a token; give one of them");
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    return invalid(where, "it names a header twice");
  }
  if (names.length > MAX_HEADERS) {
    return invalid(where, `it has more than ${String(MAX_HEADERS)} headers`);
  }
  const bad = Object.keys(config.headers).find((name) => !isHeaderText(config.headers[name] ?? ""));
  if (bad !== undefined) {
    return invalid(
      where,
      `the header ${bad} holds something else than visible ASCII, space and tab`,
    );
  }
  const bytes = Object.entries(config.headers).flat().join("").length;
  return bytes > MAX_HEADER_BYTES ? invalid(where, "its headers are over 16 KiB") : undefined;
}

/** Whether a value can stand in a header. */
export function isHeaderText(value: string): boolean {
  return /^[\t\u0020-\u007e]*$/.test(value);
}

/** Whether a value can be a bearer token. */
export function isTokenText(value: string): boolean {
  return /^[\u0021-\u007e]+$/.test(value);
}

function invalid(where: string, why: string): ClientError {
  return notSent("invalid_config", `${where} is not usable: ${why}.`);
}

function forbidden(where: string, why: string): ClientError {
  return notSent("forbidden_header", `${where} is not usable: ${why}.`);
}
