import { randomBytes } from "node:crypto";

/**
 * `stamped` ids (UUIDv7) carry their time and can be fenced off; `minted` ids (UUIDv8) were made here for a call
 * that brought none; `plain` ids are everything else.
 */
export type RequestIdKind = "stamped" | "minted" | "plain";

// An id minted for a call that never reached a store must not stay here for ever.
const MAX_UNCLAIMED = 10_000;
const unclaimed = new Set<string>();

/**
 * A UUIDv8 for a call that brought no id. It can be claimed once, by this process: a UUIDv8 that the store does
 * not hold and that was not just minted here is refused, so dropping its receipt can never cause a second run.
 */
export function newMintedId(): string {
  const bytes = randomBytes(16);
  // A set top bit keeps minted ids behind every time-stamped one in the store's id order until the year 6429.
  bytes.writeUInt8(bytes.readUInt8(0) | 0x80, 0);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  const id = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
  unclaimed.add(id);
  if (unclaimed.size > MAX_UNCLAIMED) {
    for (const oldest of unclaimed) {
      unclaimed.delete(oldest);
      break;
    }
  }
  return id;
}

/** True exactly once for an id that `newMintedId` of this process made. */
export function claimMintedId(requestId: string): boolean {
  return unclaimed.delete(requestId);
}

export function requestIdKind(requestId: string): RequestIdKind {
  const version = requestId.charAt(14);
  if (version === "7") return "stamped";
  return version === "8" ? "minted" : "plain";
}

/** The Unix time in milliseconds that a UUIDv7 carries. */
export function stampOf(requestId: string): number {
  return Number.parseInt(requestId.slice(0, 8) + requestId.slice(9, 13), 16);
}

export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}
