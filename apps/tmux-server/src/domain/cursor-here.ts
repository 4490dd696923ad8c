import { encodeCursor } from "./cursor.ts";
import { readPane } from "./read-pane.ts";
import type { Snapshot } from "./snapshot.ts";

/** Hashes a cursor keeps. */
const bufferSize = 16;

/** The cursor from which a later read returns what comes after this snapshot. */
export function cursorHere(snapshot: Snapshot): string {
  const read = readPane(snapshot, undefined, { full: true, maxLines: 0, maxBytes: 0, bufferSize });
  const nowhere = { lines: undefined, screen: undefined };
  return encodeCursor(snapshot.facts, read.kind === "read" ? read.position : nowhere);
}
