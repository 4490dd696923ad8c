import { ReceiptsError } from "../errors.ts";
import type { SqlStatement } from "../receipt.ts";
import { isPending, type ReceiptRow, type RowKey } from "../receipt-row.ts";
import { requestIdKind, type RequestIdKind } from "../request-id.ts";
import type { MarkName, ReceiptTable } from "./receipt-table.ts";

/** The rows of a memory store, in the order in which they were made. */
export class MemoryTable implements ReceiptTable {
  readonly #rows = new Map<string, ReceiptRow>();
  readonly #counts = new Map<string, number>();
  readonly #marks = new Map<MarkName, number>();
  #resultBytes = 0;

  get(key: RowKey): ReceiptRow | undefined {
    return this.#rows.get(keyText(key));
  }

  find(key: Omit<RowKey, "tool">): readonly ReceiptRow[] {
    return this.#filter(
      (row) =>
        row.requestId === key.requestId &&
        row.principal === key.principal &&
        row.instance === key.instance,
    );
  }

  newest(instance: string, last: number): readonly ReceiptRow[] {
    const rows = this.#filter((row) => row.instance === instance);
    return rows.slice(Math.max(0, rows.length - last)).map((row) => ({ ...row, result: null }));
  }

  insert(row: ReceiptRow): void {
    this.#rows.set(keyText(row), row);
    this.#count(row, 1);
    this.#resultBytes += storedBytes(row);
  }

  replace(stored: ReceiptRow, row: ReceiptRow): void {
    this.#rows.set(keyText(row), row);
    this.#resultBytes += storedBytes(row) - storedBytes(stored);
  }

  remove(row: ReceiptRow): void {
    this.#rows.delete(keyText(row));
    this.#count(row, -1);
    this.#resultBytes -= storedBytes(row);
  }

  count(kinds: readonly RequestIdKind[], principal?: string): number {
    return kinds.reduce((sum, kind) => sum + (this.#counts.get(countKey(kind, principal)) ?? 0), 0);
  }

  oldestEnded(kind: "stamped" | "minted", principal?: string): ReceiptRow | undefined {
    let oldest: ReceiptRow | undefined;
    for (const row of this.#rows.values()) {
      if (isPending(row) || requestIdKind(row.requestId) !== kind) continue;
      if (principal !== undefined && row.principal !== principal) continue;
      if (kind === "minted") return row;
      if (oldest === undefined || row.requestId < oldest.requestId) oldest = row;
    }
    return oldest;
  }

  pendingOf(owner: string): readonly ReceiptRow[] {
    return this.#filter((row) => row.owner === owner && isPending(row));
  }

  resultBytes(): number {
    return this.#resultBytes;
  }

  omitOldestResult(): void {
    for (const row of this.#rows.values()) {
      if (row.result === null) continue;
      this.replace(row, { ...row, result: null, resultOmitted: true });
      return;
    }
  }

  mark(name: MarkName): number {
    return this.#marks.get(name) ?? 0;
  }

  setMark(name: MarkName, value: number): void {
    this.#marks.set(name, value);
  }

  runAlongside(statements: readonly SqlStatement[]): void {
    if (statements.length > 0) throw statementsUnsupported();
  }

  givesRow(_statement: SqlStatement): boolean {
    throw statementsUnsupported();
  }

  #filter(keep: (row: ReceiptRow) => boolean): readonly ReceiptRow[] {
    return [...this.#rows.values()].filter(keep);
  }

  #count(row: ReceiptRow, by: number): void {
    const kind = requestIdKind(row.requestId);
    for (const key of [countKey(kind), countKey(kind, row.principal)]) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
    }
  }
}

function keyText(key: RowKey): string {
  // The parts hold no control characters, so LF keeps them apart.
  return [key.requestId, key.principal, key.instance, key.tool].join("\n");
}

function countKey(kind: RequestIdKind, principal = ""): string {
  return `${kind}\n${principal}`;
}

function storedBytes(row: ReceiptRow): number {
  return row.result === null ? 0 : (row.resultBytes ?? 0);
}

function statementsUnsupported(): ReceiptsError {
  return new ReceiptsError(
    "statements_unsupported",
    "A memory store has no tables of the caller's; use the SQLite store for statements alongside.",
  );
}
