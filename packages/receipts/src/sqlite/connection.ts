import { DatabaseSync, type StatementSync } from "node:sqlite";
import { faultPoint, type StoreFault } from "./faults.ts";

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

const BUSY_TIMEOUT_MS = 2_000;

/** One open database. Every step that writes passes the fault point. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #step: <T>(step: () => T) => T;

  constructor(file: string, fault?: StoreFault) {
    this.#database = new DatabaseSync(file);
    this.#step = faultPoint(fault);
    this.#database.exec(`PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
  }

  /** Runs a fixed statement that writes or controls a transaction. */
  exec(sql: string): void {
    this.#step(() => this.#database.exec(sql));
  }

  /** Runs one writing statement and returns the rowid of the row it inserted last. */
  run(sql: string, ...params: SqlValue[]): number {
    return this.#step(() => Number(this.#statement(sql).run(...params).lastInsertRowid));
  }

  first(sql: string, ...params: SqlValue[]): SqlRow | undefined {
    // Columns are TEXT and INTEGER only, and integers stay below 2^53.
    return this.#statement(sql).get(...params) as SqlRow | undefined;
  }

  all(sql: string, ...params: SqlValue[]): readonly SqlRow[] {
    return this.#statement(sql).all(...params) as SqlRow[];
  }

  close(): void {
    this.#database.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
