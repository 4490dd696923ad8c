import { createHash } from "node:crypto";
import type { JsonValue } from "@postern/protocol";
import canonicalize from "canonicalize";
import { ReceiptsError } from "./errors.ts";

/**
 * SHA-256 over the RFC 8785 form of `{v: 1, tool, args}`: equal for equal arguments in any key order. Throws
 * `invalid_call` for a value that is not JSON (a lone surrogate, NaN).
 */
export function fingerprint(tool: string, args: JsonValue): string {
  return sha256Hex(canonicalForm({ v: 1, tool, args }));
}

export function sha256Hex(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

function canonicalForm(value: JsonValue): string {
  try {
    const text = canonicalize(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new ReceiptsError("invalid_call", "The arguments are not valid JSON.", { cause });
  }
  throw new ReceiptsError("invalid_call", "The arguments are not valid JSON.");
}
