import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { EndpointAuthError } from "../errors.ts";
import { damaged, type KeyPlace, type SealingKey } from "./envelope.ts";
import { keepsSecrets, within, type Keychain } from "./keychain.ts";
import { readPrivateFile, replacePrivateFile, type WriteStep } from "./private-file.ts";

export interface KeySourceOptions {
  readonly name: string;
  readonly directory: string;
  readonly keyFile: "allow" | "refuse";
  readonly keychain: Keychain | undefined;
  readonly onStep?: WriteStep;
}

const KEY_BYTES = 32;
const KEYCHAIN_MS = 30_000;

/** The places where the key of one store may lie. */
export class KeySource {
  readonly #options: KeySourceOptions;
  readonly #account: string;
  readonly #file: string;

  constructor(options: KeySourceOptions) {
    this.#options = options;
    // Two directories of one user may hold stores of the same name.
    const place = createHash("sha256").update(options.directory).digest("hex").slice(0, 16);
    this.#account = `${options.name}-${place}`;
    this.#file = join(options.directory, `${options.name}.key`);
  }

  /** Where a new key would go: the best place that works. */
  async best(): Promise<KeyPlace | "memory"> {
    const { keychain, keyFile } = this.#options;
    if (keychain !== undefined && (await keepsSecrets(keychain))) return "keychain";
    return keyFile === "allow" ? "key_file" : "memory";
  }

  /** The key that a sealed file names. Another place is never tried: it could only be a weaker one. */
  async find(place: KeyPlace, id: string): Promise<SealingKey> {
    const text = await this.#read(place);
    if (text === undefined) throw unavailable(place, "is not there");
    const key = parse(text, place, this.#file);
    if (key.id !== id) throw unavailable(place, "belongs to another file");
    return key;
  }

  /** The key for a store that has no file yet; made if there is none. The caller holds the store's lock. */
  async obtain(place: KeyPlace): Promise<SealingKey> {
    const found = await this.#read(place);
    if (found !== undefined) return parse(found, place, this.#file);
    const id = randomBytes(8).toString("hex");
    const text = `${id} ${randomBytes(KEY_BYTES).toString("base64")}`;
    if (place === "key_file") {
      await replacePrivateFile(this.#file, `${text}\n`, this.#options.onStep);
    } else {
      await this.#ask((keychain) => keychain.set(this.#account, text));
    }
    return parse(text, place, this.#file);
  }

  async #read(place: KeyPlace): Promise<string | undefined> {
    if (place === "keychain") return this.#ask((keychain) => keychain.get(this.#account));
    if (this.#options.keyFile === "refuse") throw unavailable(place, "is not allowed here");
    return (await readPrivateFile(this.#file))?.replace(/\n$/, "");
  }

  async #ask<T>(step: (keychain: Keychain) => Promise<T>): Promise<T> {
    const { keychain } = this.#options;
    if (keychain === undefined) throw unavailable("keychain", "cannot be reached");
    try {
      // A person may have to unlock it.
      return await within(KEYCHAIN_MS, () => step(keychain));
    } catch (error) {
      throw unavailable("keychain", "cannot be reached", error);
    }
  }
}

function parse(text: string, place: KeyPlace, file: string): SealingKey {
  const [, id, encoded] = /^([0-9a-f]{16}) ([A-Za-z0-9+/]{43}=)$/.exec(text) ?? [];
  if (id === undefined || encoded === undefined) {
    throw damaged(place === "key_file" ? file : "The key in the keychain");
  }
  return { id, place, bytes: Buffer.from(encoded, "base64") };
}

function unavailable(place: KeyPlace, why: string, cause?: unknown): EndpointAuthError {
  const where = place === "keychain" ? "the system's keychain" : "its key file";
  return new EndpointAuthError(
    "key_unavailable",
    `The settings are sealed with a key in ${where}, which ${why}. They were left as they are; ` +
      "bring the key back, or remove the sealed file to start anew.",
    { cause },
  );
}
