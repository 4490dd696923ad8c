import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { SealedStore } from "@postern/endpoint-auth";
import { sealedDirectory } from "../config.ts";
import { ClientError, notSent } from "../errors.ts";
import type { Grant } from "./grant.ts";

/** Where one login is kept. */
export interface Vault {
  readonly protection: "keychain" | "key_file" | "memory";
  load(): Promise<Grant | undefined>;
  /** Replaces what is kept by what `change` makes of it, with nobody else writing in between. */
  change(change: (grant: Grant | undefined) => Grant | undefined): Promise<void>;
  /** Throws unless something that is written can be read again and deleted. */
  probe(): Promise<void>;
  /** Runs a task while no other process runs one for the same login. */
  alone<T>(task: () => Promise<T>): Promise<T>;
  close(): void;
}

/** A vault that ends with the process. */
export function memoryVault(): Vault {
  let kept: Grant | undefined;
  return {
    protection: "memory",
    load: async () => kept,
    change: async (change) => {
      kept = change(kept);
    },
    probe: async () => undefined,
    alone: (task) => task(),
    close: () => {
      kept = undefined;
    },
  };
}

/** A vault sealed on disk, shared by every process of this user that uses the same store name and endpoint. */
export async function sealedVault(storeName: string, endpoint: URL): Promise<Vault> {
  const { openSealedStore, withProcessLock } = await import("@postern/endpoint-auth");
  const directory = sealedDirectory();
  const store = await guarded(() => openSealedStore({ name: "oauth", directory }));
  const key = JSON.stringify([storeName, endpoint.href]);
  const place = createHash("sha256").update(key).digest("hex").slice(0, 16);
  const lock = join(directory, `refresh-${place}.lock`);
  return {
    get protection() {
      return store.protection;
    },
    load: () => guarded(async () => parse(await store.get(key))),
    change: (change) =>
      guarded(async () => {
        await store.update(key, (text) => {
          const next = change(parse(text));
          return next && JSON.stringify(next);
        });
      }),
    probe: () => guarded(() => probe(store)),
    alone: (task) => guarded(() => withProcessLock(lock, { timeoutMs: 30_000 }, task)),
    close: () => store.close(),
  };
}

async function probe(store: SealedStore): Promise<void> {
  const key = `probe-${randomBytes(8).toString("hex")}`;
  await store.set(key, "probe");
  const kept = await store.get(key);
  await store.delete(key);
  if (kept !== "probe" || (await store.get(key)) !== undefined) {
    throw new Error("The store does not keep what is written.");
  }
}

/** What the store's seal has proved to be ours needs no second check. */
function parse(text: string | undefined): Grant | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Grant);
}

async function guarded<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw unusable(error);
  }
}

function unusable(error: unknown): unknown {
  if (error instanceof ClientError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return notSent("store_unavailable", `Logins cannot be kept: ${why}`, { cause: error });
}
