import { safeParse, type BaseIssue } from "valibot";
import { nearest } from "../args/nearest.ts";
import { notSent, type ClientError } from "../errors.ts";
import { isMembers } from "../protocol/json-rpc.ts";
import { serverConfigSchema, type ResolvedConfig } from "./schema.ts";

export type ParsedConfig =
  | { kind: "ok"; config: ResolvedConfig }
  | { kind: "invalid"; error: ClientError };

/** Fields of the other transport. */
const HTTP_FIELDS: ReadonlySet<string> = new Set([
  "url",
  "headers",
  "headersFrom",
  "authToken",
  "authTokenFrom",
  "oauth",
  "caFile",
  "allowPrivateNetwork",
  "maxStreamBytes",
]);

/** Checks one server's configuration and fills in defaults. `where` says where it was read. */
export function parseServerConfig(raw: unknown, where = "The server configuration"): ParsedConfig {
  const problem = shapeProblem(raw);
  if (problem !== undefined) return invalid(where, [problem]);
  const parsed = safeParse(serverConfigSchema, raw);
  if (parsed.success) return { kind: "ok", config: parsed.output };
  return invalid(where, parsed.issues.map(describeIssue));
}

function shapeProblem(raw: unknown): string | undefined {
  if (!isMembers(raw)) return "it is not an object";
  const keys = Object.keys(raw).filter((key) => raw[key] !== undefined);
  const http = keys.filter((key) => HTTP_FIELDS.has(key));
  if (http.length > 0 && keys.includes("command")) {
    return `it has "command" (stdio) and "${http.join('", "')}" (HTTP); a server has one transport`;
  }
  if (http.length > 0) {
    return `it has "${http.join('", "')}", but this release speaks stdio only; give "command" and "args"`;
  }
  const known = Object.keys(serverConfigSchema.entries);
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    return `it has the unknown key "${unknown.slice(0, 60)}"${near ? `; did you mean "${near}"?` : ""}`;
  }
  return keys.includes("command") ? undefined : 'it has no "command"';
}

/** Values are never shown: any of them may be a secret. */
function describeIssue(issue: BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) => String(key)).join(".");
  const expected = issue.expected ?? issue.message;
  return `"${path}" is not usable: expected ${expected}`;
}

function invalid(where: string, problems: readonly string[]): ParsedConfig {
  const message = `${where} is not usable: ${problems.slice(0, 5).join("; ")}.`;
  return { kind: "invalid", error: notSent("invalid_config", message, { data: { problems } }) };
}
