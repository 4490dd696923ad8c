import type { ReceiptCall } from "./receipt.ts";

export type StopCode = "revoked" | "cancelled" | "deadline_exceeded";

/**
 * Everything that can stop a call: the caller's signal, its deadline, its fence, and `close`. `onStop` is
 * called when one of the first three fires by itself; a fence is only read.
 */
export class StopSignals {
  readonly #controller = new AbortController();
  readonly #call: ReceiptCall;
  readonly #expiresAt: number | undefined;
  readonly #monotonicNow: () => number;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #onStop: () => void;
  readonly #onAbort = (): void => this.#fire("cancelled");
  #fired: StopCode | undefined;

  constructor(call: ReceiptCall, monotonicNow: () => number, onStop: () => void) {
    this.#call = call;
    this.#monotonicNow = monotonicNow;
    this.#onStop = onStop;
    if (call.deadlineMs !== undefined) {
      this.#expiresAt = monotonicNow() + call.deadlineMs;
      this.#timer = setTimeout(() => this.#fire("deadline_exceeded"), call.deadlineMs);
    }
    call.signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (call.signal?.aborted === true) this.#fired = "cancelled";
  }

  /** The signal the effect gets. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the call must not start now. A revoked permission is named first, whatever else fired. */
  code(): StopCode | undefined {
    if (this.#isFenced()) return "revoked";
    if (this.#fired !== undefined) return this.#fired;
    const expired = this.#expiresAt !== undefined && this.#monotonicNow() >= this.#expiresAt;
    return expired ? "deadline_exceeded" : undefined;
  }

  cancel(): void {
    this.#fire("cancelled");
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#call.signal?.removeEventListener("abort", this.#onAbort);
  }

  #fire(code: StopCode): void {
    this.#fired ??= code;
    this.#controller.abort(new DOMException(code, "AbortError"));
    this.#onStop();
  }

  #isFenced(): boolean {
    try {
      return this.#call.isFenced?.() ?? false;
    } catch {
      // A fence that cannot be read is taken for closed.
      return true;
    }
  }
}
