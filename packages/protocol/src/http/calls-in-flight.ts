/** One request that is being served. */
export interface ServedCall {
  readonly subject: string;
  /** An open subscription, which has no end of its own and which nobody waits for. */
  readonly standing: boolean;
  readonly abort: AbortController;
}

/** The requests of one mount that are being served, in all and by principal. */
export class CallsInFlight {
  readonly #calls = new Set<ServedCall>();
  readonly #onIdle = new Set<() => void>();

  get size(): number {
    return this.#calls.size;
  }

  countOf(subject: string): number {
    return [...this.#calls].filter((call) => call.subject === subject).length;
  }

  begin(subject: string, method: string): ServedCall {
    const standing = method === "subscriptions/listen";
    const call = { subject, standing, abort: new AbortController() };
    this.#calls.add(call);
    return call;
  }

  end(call: ServedCall): void {
    this.#calls.delete(call);
    if (this.#awaited().length === 0) for (const resolve of this.#onIdle) resolve();
  }

  abortStanding(): void {
    for (const call of this.#calls) if (call.standing) call.abort.abort();
  }

  abortAll(): void {
    for (const call of this.#calls) call.abort.abort();
  }

  /** Resolves when every call that ends by itself has ended, or after `timeoutMs`. */
  async idleWithin(timeoutMs: number): Promise<void> {
    if (this.#awaited().length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
      this.#onIdle.add(resolve);
    });
    clearTimeout(timer);
    this.#onIdle.clear();
  }

  #awaited(): ServedCall[] {
    return [...this.#calls].filter(({ standing }) => !standing);
  }
}
