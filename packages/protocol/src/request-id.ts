import { randomBytes } from "node:crypto";

/**
 * A fresh request id: a version 7 UUID (RFC 9562, 5.7) in canonical lower case. It starts with the time,
 * so a receipt store can tell an id from before its memory.
 */
export function newRequestId(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
