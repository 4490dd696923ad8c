import { join } from "node:path";
import { EndpointAuthError } from "../errors.ts";
import { openPrivateDirectory } from "../private-directory.ts";
import { withProcessLock } from "../process-lock.ts";
import { readEnvelope, seal, unseal, type SealingKey } from "./envelope.ts";
import { KeySource } from "./key-source.ts";
import { systemKeychain, type Keychain } from "./keychain.ts";
import { memoryStore } from "./memory-store.ts";
import { readPrivateFile, replacePrivateFile, type WriteStep } from "./private-file.ts";

export interface SealedStoreOptions {
  /** Lower-case letters, digits and hyphens; the files in the directory are named after it. */
  readonly name: string;
  /** An absolute path; made with mode 0700, or verified to have it. */
  readonly directory: string;
  /** Whether the key may lie in the operating system's keychain. @default "auto" */
  readonly keychain?: "auto" | "off";
  /** Whether the key may lie in a file beside the data where there is no keychain. @default "allow" */
  readonly keyFile?: "allow" | "refuse";
}

/** Named texts that are sealed on disk. Several processes may use one at a time. */
export interface SealedStore {
  /**
   * Where the key is. `keychain` protects against who gets the files, `key_file` only hides the content from a
   * passing look, `memory` keeps nothing when the process ends.
   */
  readonly protection: "keychain" | "key_file" | "memory";
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
  /**
   * Replaces one value by what `change` makes of it, with nobody else writing in between; undefined removes it.
   * Returns what is stored afterwards.
   */
  update(
    key: string,
    change: (value: string | undefined) => string | undefined,
  ): Promise<string | undefined>;
  /** Wipes the key from memory. Whatever is asked later throws `settings_closed`. */
  close(): void;
}

/**
 * Opens a store, on the best protection that works: a keychain that passes a write-read-delete probe, else a key
 * file, else memory. What exists stays on the protection it was made with, or is refused (`key_unavailable`).
 * A missing file is an empty store; a file that does not open is an error and is never touched.
 */
export async function openSealedStore(options: SealedStoreOptions): Promise<SealedStore> {
  const keychain = options.keychain === "off" ? undefined : await systemKeychain();
  return openSealedStoreOn(keychain, options);
}

/** The same on a keychain that is handed in. */
export async function openSealedStoreOn(
  keychain: Keychain | undefined,
  options: SealedStoreOptions & { readonly onStep?: WriteStep },
): Promise<SealedStore> {
  const { name, directory, keyFile = "allow", onStep } = options;
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
    throw new RangeError("The store's name is unusable.");
  const opened = await openPrivateDirectory(directory);
  if (opened.kind === "refused") {
    throw new EndpointAuthError("settings_not_private", `${directory}: ${opened.message}`);
  }
  const steps = onStep && { onStep };
  const source = new KeySource({ name, directory, keyFile, keychain, ...steps });
  const file = new SealedFile(join(directory, `${name}.sealed`), name, source, onStep);
  await file.read();
  const place = file.place ?? (await source.best());
  return place === "memory" ? memoryStore() : new FileStore(file, place);
}

type Entries = Map<string, string>;

class SealedFile {
  readonly #path: string;
  readonly #name: string;
  readonly #source: KeySource;
  readonly #onStep: WriteStep | undefined;
  #key: SealingKey | undefined;

  constructor(path: string, name: string, source: KeySource, onStep: WriteStep | undefined) {
    this.#path = path;
    this.#name = name;
    this.#source = source;
    this.#onStep = onStep;
  }

  /** Where the key of the file is, as far as one has been read or written. */
  get place(): SealingKey["place"] | undefined {
    return this.#key?.place;
  }

  async read(): Promise<Entries> {
    const text = await readPrivateFile(this.#path);
    if (text === undefined) return new Map();
    const envelope = readEnvelope(text, this.#name, this.#path);
    if (this.#key?.id !== envelope.keyId || this.#key.place !== envelope.key) {
      this.#key = await this.#source.find(envelope.key, envelope.keyId);
    }
    const plain = unseal(envelope, this.#key, this.#name, this.#path);
    // What the tag has proved to be ours needs no second check.
    return new Map(JSON.parse(plain) as [string, string][]);
  }

  /** Changes the entries under the lock. `place` is where the key of a first file goes. */
  async change(place: SealingKey["place"], edit: (entries: Entries) => void): Promise<Entries> {
    return withProcessLock(`${this.#path}.lock`, {}, async () => {
      const entries = await this.read();
      const before = JSON.stringify([...entries]);
      edit(entries);
      const after = JSON.stringify([...entries]);
      if (after === before) return entries;
      const key = (this.#key ??= await this.#source.obtain(place));
      await replacePrivateFile(this.#path, seal(after, key, this.#name), this.#onStep);
      return entries;
    });
  }

  wipe(): void {
    this.#key?.bytes.fill(0);
    this.#key = undefined;
  }
}

class FileStore implements SealedStore {
  readonly #file: SealedFile;
  readonly #placeOfNew: SealingKey["place"];
  #closed = false;

  constructor(file: SealedFile, placeOfNew: SealingKey["place"]) {
    this.#file = file;
    this.#placeOfNew = placeOfNew;
  }

  /** Another process may have made the file meanwhile, on another protection. */
  get protection(): SealingKey["place"] {
    return this.#file.place ?? this.#placeOfNew;
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#read()).get(key);
  }

  async keys(): Promise<readonly string[]> {
    return [...(await this.#read()).keys()];
  }

  async set(key: string, value: string): Promise<void> {
    await this.update(key, () => value);
  }

  async delete(key: string): Promise<void> {
    await this.update(key, () => undefined);
  }

  async update(
    key: string,
    change: (value: string | undefined) => string | undefined,
  ): Promise<string | undefined> {
    this.#checkOpen();
    const entries = await this.#file.change(this.#placeOfNew, (entries) => {
      const value = change(entries.get(key));
      if (value === undefined) entries.delete(key);
      else entries.set(key, value);
    });
    return entries.get(key);
  }

  close(): void {
    this.#closed = true;
    this.#file.wipe();
  }

  #read(): Promise<Entries> {
    this.#checkOpen();
    return this.#file.read();
  }

  #checkOpen(): void {
    if (this.#closed) throw new EndpointAuthError("settings_closed", "The store is closed.");
  }
}
