import { constants, promises } from "node:fs";
import type { Secret } from "@postern/endpoint-auth";
import { notSent, type ClientError } from "../errors.ts";
import type { SecretSource } from "./schema.ts";

const MAX_FILE_BYTES = 64 * 1_024;

export type ResolvedSecrets =
  | { kind: "ok"; values: Map<string, Secret> }
  | { kind: "unavailable"; error: ClientError };

/** Fetches the secrets a server needs, just before it starts. A failure names the reference, never the value. */
export async function resolveSecrets(
  sources: Readonly<Record<string, SecretSource>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ResolvedSecrets> {
  const values = new Map<string, Secret>();
  const entries = Object.entries(sources);
  if (entries.length === 0) return { kind: "ok", values };
  const { Secret } = await import("@postern/endpoint-auth");
  for (const [name, source] of entries) {
    const found = await find(source, environment);
    if (found.kind === "missing") return unavailable(name, found.why);
    values.set(name, new Secret(found.value));
  }
  return { kind: "ok", values };
}

type Found = { kind: "found"; value: string } | { kind: "missing"; why: string };

function find(
  source: SecretSource,
  environment: Readonly<Record<string, string | undefined>>,
): Found | Promise<Found> {
  if ("env" in source) return fromVariable(source.env, environment);
  return "file" in source ? fromFile(source.file) : fromSetting(source.setting);
}

async function fromSetting(name: string): Promise<Found> {
  const { settings } = await import("../settings/settings.ts");
  const { result, error } = await settings.load(name, true);
  if (error) return missing(`the settings cannot be read (${error.code})`);
  if (result && "secret" in result) return { kind: "found", value: result.secret };
  return missing(`the settings hold no secret "${name}"`);
}

function fromVariable(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Found {
  const value = environment[name];
  if (value === undefined) return missing(`the environment variable ${name} is not set`);
  return value === ""
    ? missing(`the environment variable ${name} is empty`)
    : { kind: "found", value };
}

async function fromFile(path: string): Promise<Found> {
  let file: promises.FileHandle | undefined;
  try {
    file = await promises.open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = await file.stat();
    const { mode, uid, size } = facts;
    if (!facts.isFile()) return missing(`${path} is not a file`);
    if (process.getuid && uid !== process.getuid()) return missing(`${path} is not your own`);
    if (process.getuid && (mode & 0o077) !== 0) {
      return missing(`${path} can be read or written by others; run chmod 600 on it`);
    }
    if (size > MAX_FILE_BYTES) return missing(`${path} is larger than 64 KiB`);
    const value = (await file.readFile("utf8")).replace(/\r?\n$/, "");
    if (value === "") return missing(`${path} is empty`);
    return value.includes("\0") ? missing(`${path} holds NUL`) : { kind: "found", value };
  } catch (error) {
    return missing(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? "error"})`);
  } finally {
    await file?.close();
  }
}

function missing(why: string): Found {
  return { kind: "missing", why };
}

function unavailable(name: string, why: string): ResolvedSecrets {
  const message = `The value of ${name} cannot be had: ${why}.`;
  return { kind: "unavailable", error: notSent("secret_unavailable", message, { data: { name } }) };
}
