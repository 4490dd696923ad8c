import type { MarkName } from "../ledger/receipt-table.ts";
import type { RequestIdKind } from "../request-id.ts";
import type { Connection } from "./connection.ts";

type Mark = MarkName | "resultBytes";

/**
 * Row counts and marks, read at most once and written at most once per transaction: a group of many receipts
 * touches the same few of them.
 */
export class Tallies {
  readonly #connection: Connection;
  readonly #values = new Map<string, number>();
  readonly #changed = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** How many rows of the kind a principal has, or all principals together. */
  rows(kind: RequestIdKind, principal?: string): number {
    return this.#get(rowsName(kind, principal));
  }

  addRows(kind: RequestIdKind, principal: string, by: number): void {
    for (const name of [rowsName(kind), rowsName(kind, principal)]) {
      this.#set(name, this.#get(name) + by);
    }
  }

  mark(name: Mark): number {
    return this.#get(name);
  }

  setMark(name: Mark, value: number): void {
    this.#set(name, value);
  }

  addMark(name: Mark, by: number): void {
    this.#set(name, this.#get(name) + by);
  }

  forget(): void {
    this.#values.clear();
    this.#changed.clear();
  }

  flush(): void {
    for (const name of this.#changed) {
      const value = this.#get(name);
      this.#connection.run(
        "INSERT OR REPLACE INTO postern_receipts_marks VALUES (?, ?)",
        name,
        value,
      );
    }
    this.#changed.clear();
  }

  #get(name: string): number {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const row = this.#connection.first(
      "SELECT value FROM postern_receipts_marks WHERE name = ?",
      name,
    );
    const value = Number(row?.["value"] ?? 0);
    this.#values.set(name, value);
    return value;
  }

  #set(name: string, value: number): void {
    this.#values.set(name, value);
    this.#changed.add(name);
  }
}

/** No principal holds a control character, so no name can be taken for another. */
function rowsName(kind: RequestIdKind, principal?: string): string {
  return principal === undefined ? `rows\n${kind}` : `rows\n${kind}\n${principal}`;
}
