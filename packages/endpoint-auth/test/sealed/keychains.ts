import type { Keychain } from "../../src/sealed/keychain.ts";

/** A keychain in memory; `faults` replace single abilities. */
export function keychain(
  faults: Partial<Keychain> = {},
): Keychain & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get: async (account) => entries.get(account),
    set: async (account, value) => void entries.set(account, value),
    delete: async (account) => void entries.delete(account),
    ...faults,
  };
}
