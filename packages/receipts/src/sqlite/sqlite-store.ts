import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { ReceiptsError } from "../errors.ts";
import type { OperationKind, ReceiptStore, StoreOperations } from "../receipt-store.ts";
import type { Job, JobResult } from "./executor.ts";
import type { StoreFault } from "./faults.ts";
import type { FromWorker, ToWorker, WorkerInput } from "./worker-messages.ts";

export interface SqliteStoreOptions {
  /** Made with mode 0600 in a directory with mode 0700; it may hold the caller's own tables too. */
  readonly file: string;
  /** For tests: makes one step of the store fail or end the process. */
  readonly faults?: StoreFault;
}

/**
 * Opens receipts in a SQLite file that several processes may share. Pending receipts of processes that are gone
 * are ended first. Throws a `ReceiptsError` when the file is not private, not local, damaged or too new.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<ReceiptStore> {
  const input: WorkerInput = {
    file: options.file,
    ...(options.faults !== undefined && { fault: options.faults }),
  };
  // The worker stands beside this file, as source or built. It gets none of the flags of the process, most of
  // which a worker would refuse.
  const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: input,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const first = await firstMessage(worker);
  if (first.kind === "opened") return new SqliteStore(worker, first.owner);
  const { code, message } = first;
  throw new ReceiptsError(code, message);
}

function firstMessage(worker: Worker): Promise<Opening> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: Opening): void => settle(() => resolve(message));
    const onError = (error: Error): void => settle(() => reject(unavailable(error.message)));
    const onExit = (): void => settle(() => reject(unavailable("The store's thread ended.")));
    const settle = (end: () => void): void => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      end();
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}

type Opening = Exclude<FromWorker, { kind: "results" }>;

interface Waiting {
  resolve(result: JobResult): void;
  reject(error: ReceiptsError): void;
}

class SqliteStore implements ReceiptStore {
  readonly owner: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #outbox: Job[] = [];
  #nextId = 1;
  #readOnly: string | undefined;
  #gone: string | undefined;
  readonly #exited: Promise<void>;

  constructor(worker: Worker, owner: string) {
    this.#worker = worker;
    this.owner = owner;
    worker.on("message", (message: FromWorker) => this.#receive(message));
    worker.on("error", (error) => this.#lose(`The store's thread failed: ${error.message}`));
    this.#exited = new Promise((resolve) => {
      worker.on("exit", () => {
        this.#lose("The store's thread ended.");
        resolve();
      });
    });
    worker.unref();
  }

  async perform<K extends OperationKind>(
    kind: K,
    request: StoreOperations[K]["request"],
  ): Promise<StoreOperations[K]["reply"]> {
    if (this.#gone !== undefined) throw unavailable(this.#gone);
    const id = this.#nextId++;
    const answered = new Promise<JobResult>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    // The process must not end while a caller waits for the disk.
    this.#worker.ref();
    this.#outbox.push({ id, kind, request });
    // Calls that one group of answers set free ask again in the same turn, and so share the next group.
    if (this.#outbox.length === 1) setImmediate(() => this.#send());
    const result = await answered;
    if ("failure" in result) throw new ReceiptsError(result.failure.code, result.failure.message);
    return result.reply;
  }

  health(): "ok" | { readOnly: string } {
    const readOnly = this.#gone ?? this.#readOnly;
    return readOnly === undefined ? "ok" : { readOnly };
  }

  async close(): Promise<void> {
    if (this.#gone === undefined) {
      this.#send();
      this.#gone = "The store is closed.";
      this.#worker.ref();
      this.#post({ kind: "close" });
    }
    await this.#exited;
  }

  #send(): void {
    const jobs = this.#outbox;
    this.#outbox = [];
    if (jobs.length > 0) this.#post({ kind: "jobs", jobs });
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message, []);
  }

  #receive(message: FromWorker): void {
    if (message.kind !== "results") return;
    // Before the answers: whoever gets one may ask for the health at once.
    this.#readOnly = message.readOnly;
    for (const result of message.results) {
      this.#waiting.get(result.id)?.resolve(result);
      this.#waiting.delete(result.id);
    }
    if (this.#waiting.size === 0 && this.#gone === undefined) this.#worker.unref();
  }

  #lose(reason: string): void {
    this.#gone ??= reason;
    for (const waiting of this.#waiting.values()) waiting.reject(unavailable(this.#gone));
    this.#waiting.clear();
  }
}

function unavailable(reason: string): ReceiptsError {
  return new ReceiptsError("store_unavailable", reason);
}
