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
    const found =
      "env" in source ? fromVariable(source.env, environment) : await fromFile(source.file);
    if (found.kind === "missing") return unavailable(name, found.why);
    values.set(name, new Secret(found.value));
  }
  return { kind: "ok", values };
}

type Found = { kind: "found"; value: string } | { kind: "missing"; why: string };

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
