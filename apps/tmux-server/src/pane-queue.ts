const maxWaiting = 8;

/** Lets one run at a time into each pane, in the order they came. */
export class PaneQueue {
  readonly #lines = new Map<string, (() => void)[]>();

  /**
   * Resolves with a function that lets the next one in, once the pane is free; `undefined` when too many
   * wait already. `signal` gives up waiting, by rejecting with its reason.
   */
  async enter(paneId: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    const line = this.#lines.get(paneId);
    if (line === undefined) {
      this.#lines.set(paneId, []);
      return () => this.#leave(paneId);
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
    return () => this.#leave(paneId);
  }

  #leave(paneId: string): void {
    const next = this.#lines.get(paneId)?.shift();
    if (next === undefined) this.#lines.delete(paneId);
    else next();
  }
}
