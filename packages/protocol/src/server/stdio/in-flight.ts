import type { RequestId } from "../../index.ts";

/** One request that has no answer yet. */
export interface InFlightRequest {
  readonly method: string;
  readonly abort: AbortController;
  /** An open `subscriptions/listen`, which has no end of its own and which nobody waits for. */
  readonly standing: boolean;
}

/** The requests of one connection that are not answered yet, each under its id. */
export class InFlight {
  readonly #requests = new Map<RequestId, InFlightRequest>();
  #onIdle: (() => void)[] = [];

  get size(): number {
    return this.#requests.size;
  }

  /** Those that will end by themselves: all but open subscriptions. */
  get awaited(): number {
    return [...this.#requests.values()].filter(({ standing }) => !standing).length;
  }

  get(id: RequestId): InFlightRequest | undefined {
    return this.#requests.get(id);
  }

  begin(id: RequestId, method: string): InFlightRequest {
    const standing = method === "subscriptions/listen";
    const request = { method, abort: new AbortController(), standing };
    this.#requests.set(id, request);
    return request;
  }

  end(id: RequestId): void {
    this.#requests.delete(id);
    if (this.awaited === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  abortAll(): void {
    for (const { abort, standing } of this.#requests.values()) if (!standing) abort.abort();
  }

  /** Whether every request ended within `timeoutMs`. */
  async idleWithin(timeoutMs: number): Promise<boolean> {
    if (this.awaited === 0) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      this.#onIdle.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
}
