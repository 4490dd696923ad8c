import {
  lazy,
  optional,
  pipe,
  record,
  regex,
  strictObject,
  string,
  type InferOutput,
} from "valibot";
import { notSent, type ClientError } from "../errors.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { httpConfigSchema } from "./http-schema.ts";
import { stdioConfigSchema } from "./schema.ts";

const MAX_SERVERS = 256;
// A literal under such a name is taken for a secret, and the file must then be private.
const SECRET_NAME = /token|secret|passw|api[_-]?key|credential|authorization/i;

/** The transport is chosen first, so that a problem is told in the words of the one that was meant. */
const entrySchema = lazy((entry) =>
  isMembers(entry) && "url" in entry && !("command" in entry)
    ? httpConfigSchema
    : stdioConfigSchema,
);

/** The configuration file: servers by name. */
const configFileSchema = strictObject({
  $schema: optional(string()),
  servers: record(pipe(string(), regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)), entrySchema),
});

/** Checks like the schema but keeps what was written: a default is no setting of the file. */
const asWritten = {
  "~standard": {
    version: 1,
    vendor: "postern",
    validate: (value: unknown) => {
      const checked = configFileSchema["~standard"].validate(value);
      return "then" in checked || checked.issues
        ? checked
        : { value: value as InferOutput<typeof configFileSchema> };
    },
  },
} as const;

const KNOWN_KEYS = [
  "$schema",
  "servers",
  "servers.*",
  ...Object.keys({ ...stdioConfigSchema.entries, ...httpConfigSchema.entries }).map(
    (key) => `servers.*.${key}`,
  ),
];

export type ConfigFile =
  | { kind: "ok"; servers: ReadonlyMap<string, Members> }
  | { kind: "refused"; error: ClientError };

/** Reads the servers of a file. Absent is empty when `optional`; anything broken is an error, never a default. */
export async function readServers(path: string, o: { optional: boolean }): Promise<ConfigFile> {
  const read = await readWith(path, "not_writable");
  if (!read.ok) {
    const absent = read.problems[0]?.code === "file_missing";
    return absent && o.optional ? { kind: "ok", servers: new Map() } : refused(path, read.problems);
  }
  const servers = new Map<string, Members>(Object.entries(read.value.servers));
  if (servers.size > MAX_SERVERS) {
    const message = `${path} names ${String(servers.size)} servers; ${String(MAX_SERVERS)} are the most.`;
    return { kind: "refused", error: notSent("invalid_config", message) };
  }
  if (![...servers.values()].some(holdsSecret)) return { kind: "ok", servers };
  const again = await readWith(path, "private");
  return again.ok ? { kind: "ok", servers } : refused(path, again.problems);
}

async function readWith(path: string, privacy: "private" | "not_writable") {
  const { readConfigFile } = await import("@postern/protocol/json");
  return readConfigFile(path, { schema: asWritten, knownKeys: KNOWN_KEYS, privacy });
}

function holdsSecret({ env, headers, authToken }: Members): boolean {
  if (authToken !== undefined) return true;
  return [env, headers].some(
    (named) => isMembers(named) && Object.keys(named).some((name) => SECRET_NAME.test(name)),
  );
}

interface Problem {
  readonly code: string;
  readonly line: number;
  readonly column: number;
  readonly key: string;
  readonly message: string;
  readonly nearestKey?: string;
}

function refused(path: string, problems: readonly Problem[]): ConfigFile {
  const said = problems.slice(0, 5).map(({ line, column, key, message, nearestKey }) => {
    const near = nearestKey === undefined ? "" : ` Did you mean "${nearestKey}"?`;
    const at = `${path}:${String(line)}:${String(column)}`;
    return `${at}${key === "" ? "" : ` ${key}`}: ${message}${near}`;
  });
  const data = { path, problems: problems.slice(0, 20) };
  return { kind: "refused", error: notSent(codeOf(problems[0]), said.join(" "), { data }) };
}

function codeOf(problem: Problem | undefined) {
  switch (problem?.code ?? "") {
    case "file_missing":
    case "file_unreadable":
    case "file_not_regular":
    case "file_too_large":
      return "config_unreadable";
    case "file_not_owned":
    case "file_not_private":
      return "config_not_private";
    default:
      return "invalid_config";
  }
}
