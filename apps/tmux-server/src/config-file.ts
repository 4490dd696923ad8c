import { randomBytes } from "node:crypto";
import { link, lstat, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type ConfigProblem, readConfigFile } from "@postern/protocol/json";
import { type Config, configKeys, configSchema, firstConfig } from "./config.ts";

/** What reading, or first creating, the configuration file came to. */
export type ConfigLoad =
  | { readonly kind: "loaded"; readonly config: Config; readonly warning?: string }
  | { readonly kind: "refused"; readonly problems: readonly string[] };

export interface LoadOptions {
  /** A file that a person named must exist; the usual one may be missing, and a server creates it. */
  readonly ifMissing: "create" | "defaults" | "refuse";
}

/** Reads the configuration once, or creates the default one where there is none. */
export async function loadConfig(path: string, { ifMissing }: LoadOptions): Promise<ConfigLoad> {
  if (!(await exists(path))) {
    if (ifMissing === "refuse") return { kind: "refused", problems: [`${path}: no such file.`] };
    if (ifMissing === "defaults") return { kind: "loaded", config: configSchema.parse({}) };
    const failure = await createFirst(path);
    if (failure !== undefined) {
      const warning = `${path} could not be created (${failure}); the defaults are used for this run.`;
      return { kind: "loaded", config: configSchema.parse({}), warning };
    }
  }
  const read = await readWith(path, "not_writable");
  if (read.kind === "refused" || read.config.auth_token === null) return read;
  return await readWith(path, "private");
}

async function readWith(path: string, privacy: "private" | "not_writable"): Promise<ConfigLoad> {
  const read = await readConfigFile(path, {
    schema: configSchema,
    knownKeys: configKeys,
    privacy,
  });
  if (read.ok) return { kind: "loaded", config: read.value };
  return { kind: "refused", problems: read.problems.map((problem) => describe(path, problem)) };
}

function describe(path: string, { line, column, key, message }: ConfigProblem): string {
  const subject = key === "" ? "" : ` ${key}:`;
  return `${path}:${String(line)}:${String(column)}:${subject} ${message}`;
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR";
  }
}

/**
 * Writes the default file whole or not at all and resolves with the system's error code if it cannot.
 * `link` instead of `rename`: it does not replace the file of another process that was faster.
 */
async function createFirst(path: string): Promise<string | undefined> {
  const temporary = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await writeDurably(temporary, `${JSON.stringify(firstConfig, null, 2)}\n`);
      await link(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
    return undefined;
  } catch (error) {
    return errorCode(error) === "EEXIST" && (await exists(path)) ? undefined : errorCode(error);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function errorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown error";
}
