import { EndpointAuthError } from "../errors.ts";
import type { SealedStore } from "./sealed-store.ts";

/** A store that ends with the process: for where no key can be kept. */
export function memoryStore(): SealedStore {
  const entries = new Map<string, string>();
  let closed = false;
  const opened = (): Map<string, string> => {
    if (closed) throw new EndpointAuthError("settings_closed", "The store is closed.");
    return entries;
  };
  const store: SealedStore = {
    protection: "memory",
    get: async (key) => opened().get(key),
    set: async (key, value) => void opened().set(key, value),
    delete: async (key) => void opened().delete(key),
    keys: async () => [...opened().keys()],
    update: async (key, change) => {
      const value = change(opened().get(key));
      if (value === undefined) entries.delete(key);
      else entries.set(key, value);
      return value;
    },
    close: () => {
      closed = true;
      entries.clear();
    },
  };
  return store;
}
