import { ReceiptsError, type ReceiptsErrorCode } from "../errors.ts";
import { performOn } from "../ledger/ledger.ts";
import { isPending, type ReceiptRow } from "../receipt-row.ts";
import type { OperationKind, StoreOperations } from "../receipt-store.ts";
import type { Connection } from "./connection.ts";
import type { OwnerLocks } from "./owner-lock.ts";
import { isBusy, messageOf } from "./sqlite-error.ts";
import type { SqliteTable } from "./sqlite-table.ts";

type Request = StoreOperations[OperationKind]["request"];
type Reply = StoreOperations[OperationKind]["reply"];

export interface Job {
  readonly id: number;
  readonly kind: OperationKind;
  readonly request: Request;
}

export type JobResult =
  | { readonly id: number; readonly reply: Reply }
  | {
      readonly id: number;
      readonly failure: { readonly code: ReceiptsErrorCode; readonly message: string };
    };

/** Carries out jobs in groups: all that write share one transaction and one wait for the disk. */
export class Executor {
  readonly #connection: Connection;
  readonly #table: SqliteTable;
  readonly #locks: OwnerLocks;
  #readOnly: string | undefined;
  #synchronous: "FULL" | "NORMAL" | undefined;

  constructor(connection: Connection, table: SqliteTable, locks: OwnerLocks) {
    this.#connection = connection;
    this.#table = table;
    this.#locks = locks;
  }

  /** Why nothing is written any more, once a durable write has failed. */
  get readOnly(): string | undefined {
    return this.#readOnly;
  }

  run(jobs: readonly Job[]): readonly JobResult[] {
    const writing = jobs.filter((job) => !isReading(job));
    const results = [
      ...(writing.length > 0 ? this.#write(writing) : []),
      ...jobs.filter(isReading).map((job) => this.#read(job)),
    ];
    return results.map((result) => this.#withoutDeadOwners(result, jobs));
  }

  /** Ends the pending rows of every owner that is gone. */
  buryDeadOwners(now: number): void {
    for (const owner of this.#table.pendingOwners()) this.#bury(owner, now);
    this.#locks.sweep();
  }

  #write(jobs: readonly Job[]): readonly JobResult[] {
    if (this.#readOnly !== undefined) return this.#lookUp(jobs, this.#readOnly);
    try {
      const isPromise = jobs.some(({ kind }) => kind !== "claim");
      return this.#transaction(isPromise, () => jobs.map((job) => this.#perform(job)));
    } catch (error) {
      return this.#lookUp(jobs, this.#readOnly ?? messageOf(error));
    }
  }

  /**
   * A claim alone promises nothing: if the machine loses it together with its power, nothing was started and the
   * id is free again. It waits for the disk with the arming that follows; the log keeps their order.
   */
  #transaction<T>(isPromise: boolean, body: () => T): T {
    try {
      this.#setSynchronous(isPromise ? "FULL" : "NORMAL");
      this.#connection.exec("BEGIN IMMEDIATE");
      this.#table.begin();
      const value = body();
      this.#table.flush();
      this.#connection.exec("COMMIT");
      return value;
    } catch (error) {
      // A busy store wrote nothing. After anything else it is not known what reached the disk: after a failed
      // fsync a second one may report success for data that is gone, so nothing is tried again.
      if (!isBusy(error)) this.#readOnly = messageOf(error);
      this.#rollBack();
      throw error;
    }
  }

  #setSynchronous(level: "FULL" | "NORMAL"): void {
    if (level === this.#synchronous) return;
    this.#connection.exec(`PRAGMA synchronous = ${level}`);
    this.#synchronous = level;
  }

  #rollBack(): void {
    try {
      this.#connection.exec("ROLLBACK");
    } catch {
      // The engine has rolled back by itself, or the transaction never began.
    }
  }

  #perform(job: Job): JobResult {
    const { id, kind, request } = job;
    if (!hasStatements(request)) return { id, reply: performOn(this.#table, kind, request) };
    this.#table.flush();
    this.#connection.exec("SAVEPOINT one");
    try {
      const reply = performOn(this.#table, kind, request);
      this.#connection.exec("RELEASE one");
      return { id, reply };
    } catch (error) {
      if (!(error instanceof ReceiptsError)) throw error;
      this.#connection.exec("ROLLBACK TO one");
      this.#connection.exec("RELEASE one");
      this.#table.begin();
      return { id, failure: { code: error.code, message: error.message } };
    }
  }

  /** What can be said without writing: a claim of a key that is held is answered by its row. */
  #lookUp(jobs: readonly Job[], reason: string): readonly JobResult[] {
    return jobs.map(({ id, kind, request }) => {
      const row = kind === "claim" && "row" in request ? this.#held(request.row) : undefined;
      if (row !== undefined) return { id, reply: { kind: "held", row } };
      return { id, failure: { code: "store_unavailable", message: reason } };
    });
  }

  #held(row: ReceiptRow): ReceiptRow | undefined {
    try {
      return this.#table.get(row);
    } catch {
      // A store that cannot even be read answers as unavailable, which is what the caller gets.
      return undefined;
    }
  }

  #read({ id, kind, request }: Job): JobResult {
    try {
      this.#table.begin();
      return { id, reply: performOn(this.#table, kind, request) };
    } catch (error) {
      return { id, failure: { code: "store_unavailable", message: messageOf(error) } };
    }
  }

  /** A caller has met a pending row: if its owner is gone, the row is ended and the job asked again. */
  #withoutDeadOwners(result: JobResult, jobs: readonly Job[]): JobResult {
    if (!("reply" in result) || this.#readOnly !== undefined) return result;
    const owners = new Set(
      rowsIn(result.reply)
        .filter(isPending)
        .map(({ owner }) => owner),
    );
    const buried = [...owners].filter((owner) => this.#bury(owner, Date.now()));
    const job = jobs.find(({ id }) => id === result.id);
    if (buried.length === 0 || job === undefined) return result;
    const [again] = isReading(job) ? [this.#read(job)] : this.#write([job]);
    return again ?? result;
  }

  #bury(owner: string, now: number): boolean {
    try {
      return this.#locks.ifGone(owner, () =>
        this.#transaction(true, () => performOn(this.#table, "bury", { owner, now })),
      );
    } catch {
      // Busy, or read-only from now on: the row stays pending, which runs nothing.
      return false;
    }
  }
}

/** A claim that only looks is a read, too. */
function isReading({ kind, request }: Job): boolean {
  if (kind === "claim") return "reserve" in request && !request.reserve;
  return kind === "find" || kind === "list" || kind === "capacity";
}

function hasStatements(request: Request): boolean {
  return "alongside" in request || "require" in request;
}

function rowsIn(reply: Reply): readonly ReceiptRow[] {
  if ("rows" in reply) return reply.rows;
  return "row" in reply && reply.row !== undefined ? [reply.row] : [];
}
