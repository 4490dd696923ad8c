import { createHash, timingSafeEqual } from "node:crypto";
import { inspect } from "node:util";

const PRINTED = "[secret]";

/**
 * Holds a token or key so that it cannot be printed by accident: in template strings, JSON, logs and
 * `util.inspect` it reads `[secret]`. Only `reveal()` gives the value back.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return PRINTED;
  }

  toJSON(): string {
    return PRINTED;
  }

  [Symbol.toPrimitive](): string {
    return PRINTED;
  }

  [inspect.custom](): string {
    return PRINTED;
  }
}

/**
 * Whether two secrets are the same. Their SHA-256 digests are compared in constant time, so neither the
 * content nor the length of the stored one shows in the time it takes.
 */
export function equalSecret(a: Secret | string, b: Secret | string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(secret: Secret | string): Uint8Array {
  return createHash("sha256")
    .update(typeof secret === "string" ? secret : secret.reveal(), "utf8")
    .digest();
}
