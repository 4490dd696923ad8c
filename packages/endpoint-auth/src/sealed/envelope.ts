import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readStrictJson } from "@postern/protocol/json";
import { EndpointAuthError } from "../errors.ts";

/** Where the key of a sealed file lies. */
export type KeyPlace = "keychain" | "key_file";

export interface SealingKey {
  readonly id: string;
  readonly place: KeyPlace;
  readonly bytes: Uint8Array;
}

/** A sealed file that has been read but not opened. */
export interface Envelope {
  readonly keyId: string;
  readonly key: KeyPlace;
  readonly nonce: string;
  readonly tag: string;
  readonly data: string;
}

const FORMAT = 1;
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Reads the outside of a sealed file. `where` names it in errors. */
export function readEnvelope(text: string, store: string, where: string): Envelope {
  const read = readStrictJson(Buffer.from(text));
  if (!read.ok || typeof read.value !== "object" || read.value === null) throw damaged(where);
  const fields = new Map<string, unknown>(Object.entries(read.value));
  const format = fields.get("format");
  if (typeof format !== "number") throw damaged(where);
  if (format > FORMAT) {
    throw new EndpointAuthError(
      "settings_too_new",
      `${where} was written by a newer version (format ${String(format)}). Update this program.`,
    );
  }
  if (fields.get("store") !== store) {
    throw new EndpointAuthError("settings_foreign", `${where} is not the file of store ${store}.`);
  }
  const [keyId, key, nonce, tag, data] = ["keyId", "key", "nonce", "tag", "data"].map((name) =>
    String(fields.get(name)),
  );
  const place = key === "keychain" || key === "key_file" ? key : undefined;
  if (!keyId || !place || !nonce || !tag || data === undefined) throw damaged(where);
  const envelope: Envelope = { keyId, key: place, nonce, tag, data };
  // Only the one spelling that `seal` writes opens.
  if (written(envelope, store) !== text) throw damaged(where);
  return envelope;
}

/** The plain text. A file that was altered, cut or moved here from another user does not open. */
export function unseal(
  { keyId, nonce, tag, data }: Envelope,
  key: SealingKey,
  store: string,
  where: string,
): string {
  try {
    const decipher = createDecipheriv(CIPHER, key.bytes, fromBase64(nonce, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associated(store, keyId)).setAuthTag(fromBase64(tag, TAG_BYTES));
    return Buffer.concat([decipher.update(fromBase64(data)), decipher.final()]).toString("utf8");
  } catch (error) {
    throw damaged(where, error);
  }
}

/** The text of a sealed file, under a nonce of its own. */
export function seal(plain: string, key: SealingKey, store: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated(store, key.id));
  const data = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return written(
    {
      keyId: key.id,
      key: key.place,
      nonce: nonce.toString("base64"),
      tag: cipher.getAuthTag().toString("base64"),
      data: data.toString("base64"),
    },
    store,
  );
}

function written({ keyId, key, nonce, tag, data }: Envelope, store: string): string {
  return `${JSON.stringify({ format: FORMAT, store, keyId, key, nonce, tag, data })}\n`;
}

function associated(store: string, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, store, process.getuid?.() ?? null, keyId]));
}

function fromBase64(text: string, length?: number): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text || (length !== undefined && bytes.length !== length)) {
    throw new Error("not base64");
  }
  return bytes;
}

export function damaged(where: string, cause?: unknown): EndpointAuthError {
  return new EndpointAuthError(
    "settings_damaged",
    `${where} is damaged or was altered. It was left as it is; restore it, or remove it to start anew.`,
    { cause },
  );
}
