const maxWaiting = 8;

/** A place at the head of a pane's line. */
export interface Turn {
  /** Whether there was nobody to wait for. */
  readonly atOnce: boolean;
  /** Lets the next one in. */
  readonly leave: () => void;
}

/** Lets one run at a time into each pane, in the order they came. */
export class PaneQueue {
  readonly #lines = new Map<string, (() => void)[]>();

  /**
   * Resolves once the pane is free; with `undefined` at once when too many wait already. `signal` gives up
   * waiting, by rejecting with its reason.
   */
  async enter(paneId: string, signal: AbortSignal): Promise<Turn | undefined> {
    const leave = (): void => this.#leave(paneId);
    const line = this.#lines.get(paneId);
    if (line === undefined) {
      this.#lines.set(paneId, []);
      return { atOnce: true, leave };
    }
    if (line.length >= maxWaiting) return undefined;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        line.splice(line.indexOf(turn), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      line.push(turn);
    });
    return { atOnce: false, leave };
  }

  #leave(paneId: string): void {
    const next = this.#lines.get(paneId)?.shift();
    if (next === undefined) this.#lines.delete(paneId);
    else next();
  }
}
