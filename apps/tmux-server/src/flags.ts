import { parseArgs } from "node:util";
import {
  type HttpAddress,
  readAddress,
  readTokenRequest,
  type TokenRequest,
} from "./http-flags.ts";
import { type LogLevel, logLevels } from "./log.ts";

/** What the command line asks for. */
export type Command =
  | { readonly kind: "serve" }
  | { readonly kind: "doctor" }
  | { readonly kind: "config"; readonly what: "path" | "check" }
  | { readonly kind: "switch"; readonly to: "pause" | "hide" | "resume"; readonly session?: string }
  | { readonly kind: "log"; readonly last: number; readonly json: boolean }
  | ({ readonly kind: "token" } & TokenRequest)
  | { readonly kind: "help" }
  | { readonly kind: "version" };

export interface Flags {
  readonly config: string | undefined;
  readonly socket: string | undefined;
  readonly socketName: string | undefined;
  readonly write: boolean;
  readonly readOnly: boolean;
  readonly legacy: boolean;
  /** Serve HTTP there instead of stdin and stdout. */
  readonly http?: HttpAddress | undefined;
  readonly logLevel: LogLevel;
}

/** A command line that was understood, or one sentence about what was not. */
export type CommandLine =
  | { readonly kind: "understood"; readonly command: Command; readonly flags: Flags }
  | { readonly kind: "refused"; readonly problem: string };

const options = {
  config: { type: "string" },
  socket: { type: "string" },
  "socket-name": { type: "string" },
  write: { type: "boolean" },
  "read-only": { type: "boolean" },
  "no-legacy": { type: "boolean" },
  http: { type: "string" },
  name: { type: "string" },
  scope: { type: "string" },
  "log-level": { type: "string", default: "warn" },
  last: { type: "string", default: "50" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

const commands = ["serve", "doctor", "config", "pause", "hide", "resume", "log", "token"] as const;

/** Reads the arguments after the program's name. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const unknown = parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens.find(
    (token) => token.kind === "option" && !Object.hasOwn(options, token.name),
  );
  if (unknown?.kind === "option") {
    const known = Object.keys(options).map((name) => `--${name}`);
    return refused(`Unknown option ${unknown.rawName}.${suggestion(unknown.rawName, known)}`);
  }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return understand(values, positionals);
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

function understand(values: Values, positionals: readonly string[]): CommandLine {
  const command: Command | string = values.help
    ? { kind: "help" }
    : values.version
      ? { kind: "version" }
      : readCommand(positionals, values);
  if (typeof command === "string") return refused(command);
  const logLevel = logLevels.find((level) => level === values["log-level"]);
  if (logLevel === undefined) return refused(`--log-level is one of ${logLevels.join(", ")}.`);
  if (values.socket !== undefined && values["socket-name"] !== undefined) {
    return refused("--socket and --socket-name exclude each other.");
  }
  if (values.socket !== undefined && !values.socket.startsWith("/")) {
    return refused("--socket takes an absolute path.");
  }
  if (
    values["socket-name"] !== undefined &&
    !/^[A-Za-z0-9._-]{1,64}$/.test(values["socket-name"])
  ) {
    return refused("--socket-name takes letters, digits, dot, underscore and hyphen, at most 64.");
  }
  if (values.http !== undefined && command.kind !== "serve") {
    return refused("--http belongs to serve.");
  }
  if ((values.name ?? values.scope) !== undefined && command.kind !== "token") {
    return refused("--name and --scope belong to token new.");
  }
  const http = readAddress(values.http);
  if (typeof http === "string") return refused(http);
  const flags: Flags = {
    config: values.config,
    socket: values.socket,
    socketName: values["socket-name"],
    write: values.write ?? false,
    readOnly: values["read-only"] ?? false,
    legacy: !values["no-legacy"],
    http,
    logLevel,
  };
  return { kind: "understood", command, flags };
}

function readCommand(
  [name = "serve", ...words]: readonly string[],
  values: Values,
): Command | string {
  const [argument, ...surplus] = words;
  const known = commands.find((command) => command === name);
  if (known === "token") {
    const request = readTokenRequest(words, values);
    return typeof request === "string" ? request : { kind: known, ...request };
  }
  if (known === undefined) return `Unknown command ${name}.${suggestion(name, commands)}`;
  if (surplus.length > 0) return `Too many arguments for ${name}.`;
  switch (known) {
    case "serve":
    case "doctor":
      return argument === undefined ? { kind: known } : `${name} takes no argument.`;
    case "config":
      return argument === "path" || argument === "check"
        ? { kind: known, what: argument }
        : "config takes path or check.";
    case "log": {
      if (argument !== undefined) return "log takes no argument.";
      const last = /^\d{1,5}$/.test(values.last) ? Number(values.last) : 0;
      if (last < 1 || last > 10_000) return "--last takes a number from 1 to 10000.";
      return { kind: "log", last, json: values.json ?? false };
    }
    case "pause":
    case "hide":
    case "resume":
      return {
        kind: "switch",
        to: known,
        ...(argument === undefined ? {} : { session: argument }),
      };
  }
}

function refused(problem: string): CommandLine {
  return { kind: "refused", problem };
}

/** Names the closest known word, or all of them when none is close. */
function suggestion(word: string, known: readonly string[]): string {
  const closest = known
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .sort((one, other) => one.distance - other.distance)[0];
  const limit = Math.max(2, Math.floor(word.length / 3));
  return closest !== undefined && closest.distance <= limit
    ? ` Did you mean ${closest.candidate}?`
    : ` Known: ${known.join(", ")}.`;
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of Array.from(from.slice(0, 64)).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(to).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
