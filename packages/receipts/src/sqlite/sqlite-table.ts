import { ReceiptsError } from "../errors.ts";
import type { MarkName, ReceiptTable } from "../ledger/receipt-table.ts";
import type { SqlStatement } from "../receipt.ts";
import { isPending, type ReceiptRow, type RowKey } from "../receipt-row.ts";
import { requestIdKind, type RequestIdKind } from "../request-id.ts";
import type { Connection, SqlRow } from "./connection.ts";
import { armRow, endRow, insertRow, outcomeValuesOf, rowFrom, valuesOf } from "./row-columns.ts";
import { isFatal, messageOf } from "./sqlite-error.ts";
import { Tallies } from "./tallies.ts";

const select = `SELECT r.*, s.result FROM postern_receipts r LEFT JOIN postern_receipts_results s USING (seq)`;
const byId = "WHERE r.request_id = ? AND r.principal = ? AND r.instance = ?";

/**
 * The rows of a SQLite store. Writing happens inside a transaction that the executor has begun: `begin` forgets
 * what another process may have changed, `flush` writes the counts and marks that the transaction moved.
 */
export class SqliteTable implements ReceiptTable {
  readonly #connection: Connection;
  readonly #tallies: Tallies;
  readonly #seqs = new WeakMap<ReceiptRow, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#tallies = new Tallies(connection);
  }

  begin(): void {
    this.#tallies.forget();
  }

  flush(): void {
    this.#tallies.flush();
  }

  get(key: RowKey): ReceiptRow | undefined {
    return this.#row(
      this.#connection.first(
        `${select} ${byId} AND r.tool = ?`,
        key.requestId,
        key.principal,
        key.instance,
        key.tool,
      ),
    );
  }

  find(key: Omit<RowKey, "tool">): readonly ReceiptRow[] {
    return this.#rows(
      this.#connection.all(
        `${select} ${byId} ORDER BY r.seq`,
        key.requestId,
        key.principal,
        key.instance,
      ),
    );
  }

  newest(instance: string, last: number): readonly ReceiptRow[] {
    return this.#rows(
      this.#connection.all(
        `SELECT r.*, NULL AS result FROM postern_receipts r WHERE r.instance = ?
          ORDER BY r.seq DESC LIMIT ?`,
        instance,
        last,
      ),
    ).toReversed();
  }

  insert(row: ReceiptRow): void {
    const seq = this.#connection.run(insertRow, ...valuesOf(row));
    this.#storeResult(seq, row);
    this.#tallies.addRows(requestIdKind(row.requestId), row.principal, 1);
  }

  replace(stored: ReceiptRow, row: ReceiptRow): void {
    const seq = this.#seq(stored);
    if (isPending(row)) {
      this.#connection.run(armRow, row.state, row.armedAt, row.data, seq);
      return;
    }
    this.#connection.run(endRow, ...outcomeValuesOf(row), seq);
    if (stored.result === null) this.#storeResult(seq, row);
  }

  remove(row: ReceiptRow): void {
    const seq = this.#seq(row);
    if (row.result !== null) {
      this.#connection.run("DELETE FROM postern_receipts_results WHERE seq = ?", seq);
      this.#tallies.addMark("resultBytes", -(row.resultBytes ?? 0));
    }
    this.#connection.run("DELETE FROM postern_receipts WHERE seq = ?", seq);
    this.#tallies.addRows(requestIdKind(row.requestId), row.principal, -1);
  }

  count(kinds: readonly RequestIdKind[], principal?: string): number {
    return kinds.reduce((sum, kind) => sum + this.#tallies.rows(kind, principal), 0);
  }

  oldestEnded(kind: "stamped" | "minted", principal?: string): ReceiptRow | undefined {
    // A UUIDv7 sorts by its time, so the unique index gives the oldest stamp first.
    const oldest = this.#connection.first(
      `${select} WHERE substr(r.request_id, 15, 1) = ? AND r.finished_at IS NOT NULL
        AND (? IS NULL OR r.principal = ?)
        ORDER BY ${kind === "stamped" ? "r.request_id" : "r.seq"} LIMIT 1`,
      kind === "stamped" ? "7" : "8",
      principal ?? null,
      principal ?? null,
    );
    return this.#row(oldest);
  }

  pendingOf(owner: string): readonly ReceiptRow[] {
    return this.#rows(
      this.#connection.all(`${select} WHERE r.owner = ? AND r.finished_at IS NULL`, owner),
    );
  }

  pendingOwners(): readonly string[] {
    return this.#connection
      .all("SELECT DISTINCT owner FROM postern_receipts WHERE finished_at IS NULL")
      .map((row) => String(row["owner"]));
  }

  resultBytes(): number {
    return this.#tallies.mark("resultBytes");
  }

  omitOldestResult(): void {
    const oldest = this.#connection.first(
      `SELECT seq, result_bytes FROM postern_receipts
        WHERE seq = (SELECT min(seq) FROM postern_receipts_results)`,
    );
    if (oldest === undefined) {
      this.#tallies.setMark("resultBytes", 0);
      return;
    }
    const seq = Number(oldest["seq"]);
    this.#connection.run("DELETE FROM postern_receipts_results WHERE seq = ?", seq);
    this.#connection.run("UPDATE postern_receipts SET result_omitted = 1 WHERE seq = ?", seq);
    this.#tallies.addMark("resultBytes", -Number(oldest["result_bytes"]));
  }

  mark(name: MarkName): number {
    return this.#tallies.mark(name);
  }

  setMark(name: MarkName, value: number): void {
    this.#tallies.setMark(name, value);
  }

  runAlongside(statements: readonly SqlStatement[]): void {
    for (const statement of statements) {
      asCallers(() => this.#connection.run(statement.sql, ...(statement.params ?? [])));
    }
  }

  givesRow({ sql, params = [] }: SqlStatement): boolean {
    return asCallers(() => this.#connection.first(sql, ...params) !== undefined);
  }

  #storeResult(seq: number, row: ReceiptRow): void {
    if (row.result === null) return;
    this.#connection.run("INSERT INTO postern_receipts_results VALUES (?, ?)", seq, row.result);
    this.#tallies.addMark("resultBytes", row.resultBytes ?? 0);
  }

  #seq(row: ReceiptRow): number {
    const seq = this.#seqs.get(row);
    if (seq === undefined) throw new TypeError("The row was not read from this table.");
    return seq;
  }

  #row(record: SqlRow | undefined): ReceiptRow | undefined {
    if (record === undefined) return undefined;
    const row = rowFrom(record);
    this.#seqs.set(row, Number(record["seq"]));
    return row;
  }

  #rows(records: readonly SqlRow[]): readonly ReceiptRow[] {
    return records.flatMap((record) => this.#row(record) ?? []);
  }
}

/** Tells a caller's statement that does not pass from a store that is in trouble. */
function asCallers<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (isFatal(error)) throw error;
    throw new ReceiptsError("statement_failed", messageOf(error), { cause: error });
  }
}
