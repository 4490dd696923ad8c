import type { RequestIdKind } from "../request-id.ts";
import type { SqlStatement } from "../receipt.ts";
import type { ReceiptRow, RowKey } from "../receipt-row.ts";

/**
 * The rows of one store, as the ledger sees them inside one transaction. Everything is synchronous: a memory
 * table is a Map, the SQLite table runs in the store's own thread.
 */
export interface ReceiptTable {
  get(key: RowKey): ReceiptRow | undefined;
  find(key: Omit<RowKey, "tool">): readonly ReceiptRow[];
  /** The newest rows of an instance, oldest first, without their results. */
  newest(instance: string, last: number): readonly ReceiptRow[];
  insert(row: ReceiptRow): void;
  /** Replaces the row of the same key; `stored` is what `get` gave. */
  replace(stored: ReceiptRow, row: ReceiptRow): void;
  remove(row: ReceiptRow): void;
  /** How many rows there are of these kinds, of one principal or of all. */
  count(kinds: readonly RequestIdKind[], principal?: string): number;
  /** Of the ended rows: for `stamped` the one with the oldest stamp, for `minted` the first made. */
  oldestEnded(kind: "stamped" | "minted", principal?: string): ReceiptRow | undefined;
  pendingOf(owner: string): readonly ReceiptRow[];
  /** Bytes of all stored results together. */
  resultBytes(): number;
  /** Drops the stored result that has been kept longest and marks its row `resultOmitted`. */
  omitOldestResult(): void;
  mark(name: MarkName): number;
  setMark(name: MarkName, value: number): void;
  /** Runs the caller's own statements in the same transaction. */
  runAlongside(statements: readonly SqlStatement[]): void;
  givesRow(statement: SqlStatement): boolean;
}

/** `lowWater`: time-stamped ids up to here are refused unless held. `maxSeenWall`: the latest wall time met. */
export type MarkName = "lowWater" | "maxSeenWall";
