const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type Signal = keyof typeof CODES;

/** Turns the first interrupt into a cancellation that is still reported; the second one kills at once. */
export class Interrupts {
  readonly #abort = new AbortController();
  readonly #onSignal = (signal: Signal): void => void this.#receive(signal);
  #exitCode: number | undefined;

  constructor() {
    for (const signal of Object.keys(CODES)) process.on(signal, this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** 130, 143 or 129 once interrupted. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  close(): void {
    for (const signal of Object.keys(CODES)) process.off(signal, this.#onSignal);
  }

  async #receive(signal: Signal): Promise<void> {
    if (this.#exitCode === undefined) {
      this.#exitCode = CODES[signal];
      this.#abort.abort();
      return;
    }
    const { killAllServers } = await import("../transport/stdio/stdio-link.ts");
    killAllServers();
  }
}
