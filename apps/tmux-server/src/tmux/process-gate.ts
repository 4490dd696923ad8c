export interface GateOptions {
  readonly running: number;
  readonly waiting: number;
}

/** Lets a fixed number of tasks run at once; the rest wait in order, and beyond that are refused. */
export class ProcessGate {
  readonly #limits: GateOptions;
  readonly #waiters: (() => void)[] = [];
  #running = 0;

  constructor(limits: GateOptions) {
    this.#limits = limits;
  }

  /** Runs `task` when there is room; `undefined` when there is not even room to wait. */
  async run<T>(task: () => Promise<T>): Promise<T | undefined> {
    if (this.#running >= this.#limits.running) {
      if (this.#waiters.length >= this.#limits.waiting) return undefined;
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await task();
    } finally {
      const next = this.#waiters.shift();
      // The place goes straight to the next in line, so that nobody can slip in between.
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
