import { randomBytes } from "node:crypto";

/** The operating system's drawer for secrets, one entry per account. */
export interface Keychain {
  get(account: string): Promise<string | undefined>;
  set(account: string, value: string): Promise<void>;
  delete(account: string): Promise<void>;
}

const SERVICE = "postern";
const PROBE_MS = 3_000;

/** The keychain of this user, or undefined where there is none that can be loaded. */
export async function systemKeychain(): Promise<Keychain | undefined> {
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    // Left alone it would fall back to the kernel's keyring, which forgets everything at the next start.
    const entry = (account: string) =>
      new AsyncEntry(SERVICE, account, { linux: { store: "secret-service" } });
    return {
      get: async (account) => (await entry(account).getPassword()) ?? undefined,
      set: async (account, value) => entry(account).setPassword(value),
      delete: async (account) => {
        await entry(account).deletePassword();
      },
    };
  } catch {
    // The optional package, or its binary for this platform, is not installed.
    return undefined;
  }
}

/** Whether a keychain keeps what it is given: writes, reads and deletes a probe within 3 s. */
export async function keepsSecrets(keychain: Keychain): Promise<boolean> {
  const account = `probe-${randomBytes(8).toString("hex")}`;
  const value = randomBytes(16).toString("hex");
  try {
    return await within(PROBE_MS, async () => {
      await keychain.set(account, value);
      const kept = (await keychain.get(account)) === value;
      await keychain.delete(account);
      return kept && (await keychain.get(account)) === undefined;
    });
  } catch {
    // Locked, denied, absent or silent: all the same to the caller, who asked a yes-or-no question.
    return false;
  }
}

/** Runs a step of a keychain that may never answer: a locked one waits for a person. */
export async function within<T>(limitMs: number, step: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The keychain does not answer.")), limitMs);
  });
  try {
    return await Promise.race([step(), late]);
  } finally {
    clearTimeout(timer);
  }
}
