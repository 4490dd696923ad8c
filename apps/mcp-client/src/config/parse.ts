import { safeParse, type BaseIssue } from "valibot";
import { nearest } from "../args/nearest.ts";
import { notSent, type ClientError } from "../errors.ts";
import type { OAuth } from "../oauth/oauth.ts";
import { isMembers } from "../protocol/json-rpc.ts";
import { stdioConfigSchema, type ResolvedConfig } from "./schema.ts";

export type ParsedConfig =
  | { kind: "ok"; config: ResolvedConfig }
  | { kind: "invalid"; error: ClientError };

/** Checks one server's configuration and fills in defaults. `where` says where it was read. */
export async function parseServerConfig(
  raw: unknown,
  where = "The server configuration",
): Promise<ParsedConfig> {
  if (!isMembers(raw)) return invalid(where, ["it is not an object"]);
  const keys = Object.keys(raw).filter((key) => raw[key] !== undefined);
  const isStdio = keys.includes("command") && !keys.includes("url");
  if (isStdio && keys.every((key) => Object.hasOwn(stdioConfigSchema.entries, key))) {
    const parsed = safeParse(stdioConfigSchema, raw);
    if (parsed.success) return { kind: "ok", config: parsed.output };
    return invalid(where, parsed.issues.map(describeIssue));
  }
  // Only what is no plain stdio server needs to know of the other transport.
  const { httpConfigSchema } = await import("./http-schema.ts");
  const problem = shapeProblem(keys, Object.keys(httpConfigSchema.entries));
  if (problem !== undefined) return invalid(where, [problem]);
  const { oauth, ...rest } = raw;
  const login = isLogin(oauth) ? oauth : undefined;
  const parsed = safeParse(httpConfigSchema, login ? rest : raw);
  if (!parsed.success) return invalid(where, parsed.issues.map(describeIssue));
  const config = { ...parsed.output, ...(login && { oauth: login }) };
  const { httpProblem } = await import("./http-rules.ts");
  const error = httpProblem(config, where);
  return error ? { kind: "invalid", error } : { kind: "ok", config };
}

/** A login made in code, which no file can hold. */
function isLogin(value: unknown): value is OAuth {
  return isMembers(value) && typeof value["access"] === "function";
}

/** Why these keys are no server of either transport. */
function shapeProblem(keys: readonly string[], httpKeys: readonly string[]): string | undefined {
  const stdioKeys = Object.keys(stdioConfigSchema.entries);
  const stdioOnly = keys.filter((key) => stdioKeys.includes(key) && !httpKeys.includes(key));
  const httpOnly = keys.filter((key) => httpKeys.includes(key) && !stdioKeys.includes(key));
  if (stdioOnly.length > 0 && httpOnly.length > 0) {
    return `it has "${stdioOnly.join('", "')}" (stdio) and "${httpOnly.join('", "')}" (HTTP); a server has one transport`;
  }
  const known = httpOnly.length > 0 ? httpKeys : [...new Set([...stdioKeys, ...httpKeys])];
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    return `it has the unknown key "${unknown.slice(0, 60)}"${near ? `; did you mean "${near}"?` : ""}`;
  }
  if (keys.includes("url")) return undefined;
  if (httpOnly.length > 0) return `it has "${httpOnly.join('", "')}" (HTTP) but no "url"`;
  return 'it has neither "command" (stdio) nor "url" (HTTP)';
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
