import { Buffer, isUtf8 } from "node:buffer";
import type { RequestId } from "../json-rpc.ts";
import type { JsonValue } from "../json-value.ts";
import { limitOf } from "../limits.ts";
import { explainFault, type JsonFault } from "./explain-fault.ts";
import { pointerOf } from "./json-pointer.ts";
import { scanJson } from "./scan-json.ts";
import { textOf } from "./scan-scalar.ts";
import { positionOf } from "./text-position.ts";

export type StrictJsonCode =
  | "too_large"
  | "invalid_utf8"
  | "not_json"
  | "duplicate_key"
  | "forbidden_key"
  | "too_deep"
  | "too_many_values"
  | "unsafe_number"
  | "lone_surrogate";

export interface StrictJsonOptions {
  /** @default 4 MiB */
  readonly maxBytes?: number;
  /** Containers inside each other. @default 64 */
  readonly maxDepth?: number;
  /** Values of any kind, containers included. @default 200 000 */
  readonly maxValues?: number;
}

/** Why bytes are not strict JSON, and where; line and column count from 1. */
export interface StrictJsonFault {
  readonly ok: false;
  readonly code: StrictJsonCode;
  readonly line: number;
  readonly column: number;
  /** A JSON Pointer (RFC 6901) to the value or member at fault, at most 256 bytes of it. */
  readonly path: string;
  /**
   * The root's `id`, when the bytes are JSON and have exactly one that is a valid request id; a frame
   * at fault is answered under it.
   */
  readonly topLevelId?: RequestId;
}

export type StrictJsonResult = { readonly ok: true; readonly value: JsonValue } | StrictJsonFault;

/**
 * Reads JSON that means the same to every reader: UTF-8 without a byte order mark, no key twice, no
 * `__proto__`, no number that changes its value, no lone surrogate, bounded depth and count.
 */
export function readStrictJson(
  bytes: Uint8Array,
  options: StrictJsonOptions = {},
): StrictJsonResult {
  const maxBytes = limitOf("maxBytes", options.maxBytes);
  const limits = {
    maxDepth: limitOf("maxDepth", options.maxDepth),
    maxValues: limitOf("maxValues", options.maxValues),
  };
  if (bytes.length > maxBytes) return faultAt(bytes, { code: "too_large", offset: 0, path: [] });
  if (!isUtf8(bytes)) {
    return faultAt(bytes, { code: "invalid_utf8", offset: firstInvalidByte(bytes), path: [] });
  }
  const scan = scanJson(bytes, limits);
  if (scan.notJsonAt === undefined && !scan.faulty) {
    const value = JSON.parse(textOf(bytes, 0, bytes.length)) as JsonValue;
    // A repeated key leaves fewer members in the value than were written; nothing else does.
    if (scan.members === 0 || countMembers(value) === scan.members) return { ok: true, value };
  }
  const fault = explainFault(bytes, limits);
  if (fault === undefined) throw new TypeError("The two passes over the JSON text disagree.");
  return faultAt(bytes, fault);
}

function countMembers(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : Object.values(value);
  let count = Array.isArray(value) ? 0 : items.length;
  for (const item of items) if (typeof item === "object") count += countMembers(item);
  return count;
}

function faultAt(
  bytes: Uint8Array,
  fault: Omit<JsonFault, "code"> & { readonly code: StrictJsonCode },
): StrictJsonFault {
  const { code, offset, path, topLevelId } = fault;
  const place = { ...positionOf(bytes, offset), path: pointerOf(path) };
  return { ok: false, code, ...place, ...(topLevelId === undefined ? {} : { topLevelId }) };
}

/** Decoding replaces the first invalid sequence, so encoding again differs from there on. */
function firstInvalidByte(bytes: Uint8Array): number {
  const replaced = Buffer.from(textOf(bytes, 0, bytes.length));
  return bytes.findIndex((byte, index) => byte !== replaced[index]);
}
