import type { CommandLine } from "../args/flags.ts";
import { notSent, type ClientError } from "../errors.ts";
import type { Members } from "../protocol/json-rpc.ts";

export type HttpFlags = { kind: "ok"; raw: Members } | { kind: "refused"; error: ClientError };

/** The headers and the token a command line asks for. Secrets are named by where they lie, never given. */
export function readHttpFlags(line: CommandLine): HttpFlags {
  const headers: Record<string, string> = {};
  for (const text of line.list("header")) {
    const [, name, value = ""] = /^([^:\s]+):[ \t]*(.*)$/.exec(text) ?? [];
    if (name === undefined) return refuse("invalid_arguments", "--header takes 'Name: value'.");
    if (name.toLowerCase() === "authorization") {
      const message =
        "--header takes no Authorization: every process could read it. Use --token-env or --token-file.";
      return refuse("forbidden_header", message);
    }
    headers[name] = value;
  }
  const headersFrom: Record<string, Members> = {};
  for (const text of line.list("header-from")) {
    const [, name, kind, where] = /^([^=\s]+)=(env|file):(.+)$/.exec(text) ?? [];
    if (name === undefined || kind === undefined) {
      return refuse("invalid_arguments", "--header-from takes NAME=env:VAR or NAME=file:PATH.");
    }
    headersFrom[name] = { [kind]: where };
  }
  const [variable, file] = [line.value("token-env"), line.value("token-file")];
  if (variable !== undefined && file !== undefined) {
    return refuse("invalid_arguments", "Give --token-env or --token-file, not both.");
  }
  return {
    kind: "ok",
    raw: {
      ...(line.has("header") && { headers }),
      ...(line.has("header-from") && { headersFrom }),
      ...(variable !== undefined && { authTokenFrom: { env: variable } }),
      ...(file !== undefined && { authTokenFrom: { file } }),
    },
  };
}

function refuse(code: "invalid_arguments" | "forbidden_header", message: string): HttpFlags {
  return { kind: "refused", error: notSent(code, message) };
}
