import { closeSync, openSync, readSync } from "node:fs";

/**
 * A fresh mark for the processes of one run: 32 hex digits. Read from the system, because a short-lived client
 * would feel the loading of `node:crypto`.
 */
export function newMarker(): string {
  const bytes = Buffer.alloc(16);
  const source = openSync("/dev/urandom", "r");
  try {
    readSync(source, bytes);
  } finally {
    closeSync(source);
  }
  return bytes.toString("hex");
}
