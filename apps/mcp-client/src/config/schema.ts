import * as v from "valibot";
import type { HttpConfig, ResolvedHttpConfig } from "./http-schema.ts";

export const KIB = 1_024;
export const MIB = 1_024 * KIB;

/** A whole number with a default and bounds. */
export function whole(unit: string, fallback: number, minimum: number, maximum: number) {
  return v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum), v.description(unit)),
    fallback,
  );
}

/** Text without NUL. */
export const text = (maxLength: number) =>
  v.pipe(v.string(), v.maxLength(maxLength), v.regex(/^[^\u0000]*$/, "it must not hold NUL"));

const variableName = v.pipe(
  v.string(),
  v.regex(/^[^=\u0000]{1,256}$/, "it is no name of an environment variable"),
);

/** Values by name. Valibot alone would take a list for a record of its indices. */
export function named<Key extends v.GenericSchema<string, string>, Value extends v.GenericSchema>(
  key: Key,
  value: Value,
): v.RecordSchema<Key, Value, undefined> {
  const schema = v.record(key, value);
  return {
    ...schema,
    "~run": (dataset, config) =>
      schema["~run"](Array.isArray(dataset.value) ? { value: undefined } : dataset, config),
  };
}

/** Where a secret is taken from, just before it is used. */
export const secretSourceSchema = v.union([
  v.strictObject({ env: v.pipe(variableName, v.description("Name of an environment variable.")) }),
  v.strictObject({
    file: v.pipe(
      v.string(),
      v.maxLength(4_096),
      v.regex(/^(?:\/|[A-Za-z]:[\\/])[^\u0000]*$/, "it must be an absolute path"),
      v.description("Absolute path of a file of your own with mode 0600, at most 64 KiB."),
    ),
  }),
  v.strictObject({
    setting: v.pipe(
      v.string(),
      v.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "it is no name of a setting"),
      v.description("Name of a secret that is kept in the sealed settings."),
    ),
  }),
]);

/** What both transports have: revisions, time and size. */
export const sharedEntries = {
  protocolVersion: v.optional(
    v.pipe(
      v.picklist(["2025-11-25", "2026-07-28", "auto"]),
      v.description("Protocol revision; auto asks the server."),
    ),
    "2025-11-25",
  ),
  acceptRevisions: v.optional(
    v.pipe(
      v.array(v.picklist(["2025-06-18", "2025-03-26"])),
      v.description("Older revisions accepted from a 2025 handshake."),
    ),
    [],
  ),
  timeoutMs: whole("One request, in milliseconds.", 30_000, 100, 3_600_000),
  idleTimeoutMs: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1_000),
      v.maxValue(3_600_000),
      v.description("Longest silence of the server during a request, in milliseconds."),
    ),
  ),
  handshakeTimeoutMs: whole("Start to ready, in milliseconds.", 30_000, 500, 600_000),
  probeTimeoutMs: whole("Silence after which auto falls back, in ms.", 2_000, 100, 60_000),
  maxMessageBytes: whole("One message in or out, in bytes.", 16 * MIB, 4 * KIB, 256 * MIB),
  maxInFlight: whole("Requests under way at once.", 8, 1, 64),
  listMaxPages: whole("Pages of one list.", 64, 1, 1_000),
  listMaxItems: whole("Tools of one list.", 10_000, 1, 100_000),
  listMaxBytes: whole("Bytes of one list.", 64 * MIB, 4 * KIB, 1_024 * MIB),
};

/** One server over stdio: fields, defaults and bounds. */
export const stdioConfigSchema = v.strictObject({
  command: v.pipe(
    text(4_096),
    v.minLength(1),
    v.description("Program to start. With a slash it is relative to cwd, else looked up in PATH."),
  ),
  args: v.optional(
    v.pipe(
      v.array(text(32 * KIB)),
      v.maxLength(256),
      v.description("Arguments, each passed on unchanged; there is no shell."),
    ),
    [],
  ),
  cwd: v.optional(v.pipe(text(4_096), v.minLength(1), v.description("Working directory."))),
  env: v.optional(
    v.pipe(named(variableName, text(32 * KIB)), v.description("Literal environment values.")),
    {},
  ),
  envFrom: v.optional(
    v.pipe(
      named(variableName, secretSourceSchema),
      v.description("Environment values taken from a variable or a private file."),
    ),
    {},
  ),
  inheritEnv: v.optional(
    v.pipe(
      v.array(variableName),
      v.maxLength(256),
      v.description("Exact names passed on besides the safe ones."),
    ),
    [],
  ),
  closeGraceMs: whole("Wait after the end of input, in milliseconds.", 2_000, 0, 60_000),
  killGraceMs: whole("Wait after SIGTERM, in milliseconds.", 500, 0, 10_000),
  ...sharedEntries,
});

/** What a caller writes: only `command` or `url` is needed. */
export type ServerConfig = v.InferInput<typeof stdioConfigSchema> | HttpConfig;

/** The same with every default filled in. */
export type ResolvedConfig = ResolvedStdioConfig | ResolvedHttpConfig;

export type ResolvedStdioConfig = v.InferOutput<typeof stdioConfigSchema>;

export type SecretSource = v.InferOutput<typeof secretSourceSchema>;
