import { existsSync } from "node:fs";
import type { SealedStore } from "@postern/endpoint-auth";
import { sealedDirectory } from "../config.ts";
import { ClientError, notSent } from "../errors.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { readPart } from "./part.ts";

export type Servers = ReadonlyMap<string, Members>;

const STORE = "mcp-client";
// All entries are one value of the store, so that each change of them is atomic.
const KEY = "servers";
const MAX_ENTRIES = 256;
const MAX_BYTES = 1_024 * 1_024;

/** The entries that are stored. Where nothing was ever saved, nothing is made. */
export async function readServers(): Promise<Servers> {
  if (!existsSync(sealedDirectory())) return new Map();
  return withStore(async (store) => parse(await store.get(KEY)));
}

/** Replaces the entries by what `change` makes of them, with no other process in between. A throw changes nothing. */
export async function changeServers(change: (servers: Servers) => Servers): Promise<void> {
  await withStore((store) => store.update(KEY, (text) => write(change(parse(text)))));
}

/** Works on the opened store. What the store cannot do is thrown as an error of this program. */
export async function withStore<T>(work: (store: SealedStore) => Promise<T>): Promise<T> {
  const { EndpointAuthError, openSealedStore } = await import("@postern/endpoint-auth");
  let store: SealedStore | undefined;
  try {
    store = await openSealedStore({ name: STORE, directory: sealedDirectory() });
    return await work(store);
  } catch (error) {
    if (error instanceof ClientError) throw error;
    if (error instanceof EndpointAuthError) {
      const corrupt = /^settings_(?:damaged|foreign|too_new)$/.test(error.code);
      const code = corrupt ? "settings_corrupt" : "settings_unavailable";
      throw notSent(code, error.message, { cause: error, data: { reason: error.code } });
    }
    const reason = error instanceof Error && "code" in error ? String(error.code) : "error";
    const message = `The settings in ${sealedDirectory()} cannot be used (${reason}).`;
    throw notSent("settings_unavailable", message, { cause: error, data: { reason } });
  } finally {
    store?.close();
  }
}

function parse(text: string | undefined): Servers {
  if (text === undefined) return new Map();
  const value: unknown = JSON.parse(text);
  if (!isMembers(value)) throw corrupt("they are not an object");
  return new Map(
    Object.entries(value).map(([name, entry]) => {
      const read = readPart(entry);
      if (read.kind === "ok") return [name, read.part];
      throw corrupt(`in the entry "${name}" ${read.problem}`);
    }),
  );
}

function write(servers: Servers): string {
  const text = JSON.stringify(Object.fromEntries(servers));
  const bytes = Buffer.byteLength(text);
  if (servers.size > MAX_ENTRIES || bytes > MAX_BYTES) {
    const message = `The settings hold at most ${String(MAX_ENTRIES)} entries and 1 MiB; nothing was saved.`;
    throw notSent("invalid_config", message, { data: { entries: servers.size, bytes } });
  }
  return text;
}

function corrupt(why: string): ClientError {
  return notSent(
    "settings_corrupt",
    `The stored settings are not usable: ${why}. They were left as they are.`,
  );
}
