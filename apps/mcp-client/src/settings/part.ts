import { minLength, pipe, safeParse, type GenericSchema } from "valibot";
import { nearest } from "../args/nearest.ts";
import { notSent, type ClientError } from "../errors.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { httpConfigSchema } from "../config/http-schema.ts";
import { KIB, stdioConfigSchema, text, type ServerConfig } from "../config/schema.ts";

/**
 * What the settings hold under a name: all or a part of a server's configuration, laid over the file's entry, or
 * one secret that configurations refer to by `{setting: NAME}`.
 */
export type SettingsPart = Partial<ServerConfig> | { secret: string };

export type ReadPart = { kind: "ok"; part: Members } | { kind: "invalid"; problem: string };

const FIELDS: Readonly<Record<string, GenericSchema>> = {
  ...stdioConfigSchema.entries,
  ...httpConfigSchema.entries,
  secret: pipe(text(64 * KIB), minLength(1)),
};
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Checks each field that is there by its own rule. Whether they make a server is seen once they are merged. */
export function readPart(value: unknown): ReadPart {
  if (!isMembers(value)) return { kind: "invalid", problem: "it is not an object" };
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  for (const [key, field] of entries) {
    const schema = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined;
    if (!schema) {
      const near = nearest(key, Object.keys(FIELDS));
      const hint = near === undefined ? "" : `; did you mean "${near}"?`;
      return { kind: "invalid", problem: `it has the unknown key "${key.slice(0, 60)}"${hint}` };
    }
    if (!safeParse(schema, field).success) {
      return { kind: "invalid", problem: `the value of "${key}" is not usable` };
    }
  }
  const part = Object.fromEntries(entries);
  if (part["secret"] !== undefined && entries.length > 1) {
    return { kind: "invalid", problem: "a secret stands beside the fields of a server" };
  }
  return { kind: "ok", part };
}

/** Why a name is none, or undefined. */
export function nameProblem(name: string): ClientError | undefined {
  if (NAME.test(name)) return undefined;
  const message =
    "The name of a server has 1 to 64 small letters, digits, dots, hyphens and underscores, and begins with a letter or digit.";
  return notSent("invalid_arguments", message);
}
