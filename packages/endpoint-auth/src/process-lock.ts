import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { EndpointAuthError } from "./errors.ts";
import type { FromLockWorker, ToLockWorker } from "./lock-messages.ts";

export interface ProcessLockOptions {
  /** How long to wait for the lock. @default 10_000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Runs a task while no other process, and no other task of this one, runs a task under the same file. The lock
 * is an exclusive transaction on that file, so the system frees it when its owner dies, however it dies. Give a
 * file of its own in a private directory and touch it with nothing else; it stays.
 *
 * Throws `lock_timeout`, `lock_unavailable`, or the signal's reason; the task was not started then.
 */
export async function withProcessLock<T>(
  file: string,
  options: ProcessLockOptions,
  task: () => Promise<T> | T,
): Promise<T> {
  options.signal?.throwIfAborted();
  locks ??= new Locks();
  const id = await locks.acquire(file, options);
  try {
    return await task();
  } finally {
    locks.release(id);
  }
}

/** One thread for all locks of the process; node:sqlite is loaded nowhere else. */
let locks: Locks | undefined;

interface Waiter {
  held(): void;
  failed(reason: unknown): void;
}

class Locks {
  readonly #waiting = new Map<number, Waiter>();
  readonly #worker: Worker;
  #nextId = 1;

  constructor() {
    // The worker stands beside this file, as source or built. It gets none of the flags of the process, most
    // of which a worker would refuse.
    this.#worker = new Worker(
      new URL(`./lock-worker${extname(import.meta.url)}`, import.meta.url),
      { execArgv: ["--disable-warning=ExperimentalWarning"] },
    );
    this.#worker.on("message", (message: FromLockWorker) => this.#receive(message));
    this.#worker.on("error", (error) => this.#lose(error.message));
    this.#worker.on("exit", () => this.#lose("it ended"));
    this.#worker.unref();
  }

  async acquire(file: string, { timeoutMs = DEFAULT_TIMEOUT_MS, signal }: ProcessLockOptions) {
    const id = this.#nextId++;
    const abort = (): void => {
      this.#post({ kind: "release", id });
      this.#settle(id)?.failed(signal?.reason);
    };
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.set(id, { held: resolve, failed: reject });
        // The process must not end while a caller waits for the lock.
        this.#worker.ref();
        this.#post({ kind: "acquire", id, file, timeoutMs });
        signal?.addEventListener("abort", abort, { once: true });
      });
      return id;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  release(id: number): void {
    this.#post({ kind: "release", id });
  }

  #post(message: ToLockWorker): void {
    this.#worker.postMessage(message, []);
  }

  #receive(message: FromLockWorker): void {
    const waiter = this.#settle(message.id);
    if (message.kind === "held") waiter?.held();
    else waiter?.failed(new EndpointAuthError(message.code, message.message));
  }

  #settle(id: number): Waiter | undefined {
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    return waiter;
  }

  #lose(reason: string): void {
    locks = undefined;
    for (const id of this.#waiting.keys()) {
      const message = `The thread that holds locks cannot be used: ${reason}.`;
      this.#settle(id)?.failed(new EndpointAuthError("lock_unavailable", message));
    }
  }
}
