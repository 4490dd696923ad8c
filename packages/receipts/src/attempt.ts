import { ReceiptsError } from "./errors.ts";
import type { ResolvedLimits } from "./limits.ts";
import { encodeNote, encodeOutcome, type EncodedOutcome } from "./outcome.ts";
import type { ArmOptions, Effect, EffectResult, ReceiptAnswer, ReceiptCall } from "./receipt.ts";
import { receiptOf, type ReceiptRow, withOutcome } from "./receipt-row.ts";
import type { Admission, AdmissionRefusal, Held, ReceiptStore } from "./receipt-store.ts";
import { StopSignals } from "./stop-signals.ts";

/** What one run of `runOnce` needs. */
export interface AttemptContext {
  readonly store: ReceiptStore;
  readonly limits: ResolvedLimits;
  readonly now: () => number;
  readonly monotonicNow: () => number;
  /** The row that `claim` would write. */
  readonly row: ReceiptRow;
  readonly justMinted: boolean;
  /** Says what a row held by another attempt answers to this call. */
  readonly answerHeld: (row: ReceiptRow) => ReceiptAnswer;
  readonly onClaimed: (used: number) => void;
}

/**
 * `open`: the effect may still be stopped for good. `arming`: the arm write is on its way. `armed`: only the
 * effect itself ends it. `ended`: the first ending won, nothing that comes later counts.
 */
type Phase = "open" | "arming" | "armed" | "ended";

type Ending =
  | { readonly kind: "outcome"; readonly result: EffectResult }
  | { readonly kind: "answer"; readonly answer: ReceiptAnswer };

/** One call that holds its key in this process, from the claim to the answer. */
export class Attempt {
  readonly fingerprint: string;
  readonly answer: Promise<ReceiptAnswer>;
  readonly #context: AttemptContext;
  readonly #reserve: boolean;
  readonly #stops: StopSignals;
  #row: ReceiptRow;
  #phase: Phase = "open";
  #end: (ending: Ending) => void = () => undefined;
  readonly #ended: Promise<Ending>;

  constructor(context: AttemptContext, call: ReceiptCall, effect: Effect) {
    this.#context = context;
    this.#row = context.row;
    this.#reserve = call.singleWrite !== true;
    this.fingerprint = context.row.fingerprint;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#stops = new StopSignals(call, context.monotonicNow, () => this.#stopped());
    this.answer = this.#run(effect).finally(() => this.#stops.dispose());
  }

  get state(): "reserved" | "armed" {
    return this.#phase === "armed" ? "armed" : "reserved";
  }

  /** Cancels the call on behalf of `close`. */
  cancel(): void {
    this.#stops.cancel();
  }

  async #run(effect: Effect): Promise<ReceiptAnswer> {
    try {
      const claimed = await this.#context.store.perform("claim", this.#admission());
      if (claimed.kind !== "claimed") return this.#declined(claimed);
      this.#context.onClaimed(claimed.used);
    } catch (error) {
      return unavailable(error);
    }
    this.#stopped();
    if (this.#phase === "open") void this.#drive(effect);
    const ending = await this.#ended;
    return ending.kind === "answer" ? ending.answer : this.#conclude(ending.result);
  }

  async #drive(effect: Effect): Promise<void> {
    let result: EffectResult;
    try {
      result = await effect({
        arm: (options) => {
          const armed = this.#arm(options);
          // An effect that does not wait for its arming has broken its contract, but must not end the process.
          armed.catch(() => undefined);
          return armed;
        },
        signal: this.#stops.signal,
      });
    } catch {
      // The reason belongs to the caller, who threw it; the receipt says only what may have happened.
      result =
        this.#phase === "armed"
          ? { kind: "unknown", code: "outcome_unknown" }
          : { kind: "not_applied", code: "not_started" };
    }
    const early = result.kind === "applied" && this.#phase !== "armed";
    this.#finishWith(early ? { kind: "unknown", code: "outcome_unknown" } : result);
  }

  async #arm({ note, ...statements }: ArmOptions = {}): Promise<void> {
    if (this.#phase !== "open") {
      throw new ReceiptsError(
        "not_armed",
        "The receipt is no longer open; do not start the effect.",
      );
    }
    if (this.#stopped()) throw notArmed();
    const data = encodeNote(note);
    this.#phase = "arming";
    const armedAt = this.#context.now();
    this.#row = { ...this.#row, data };
    let refusal: Ending | undefined;
    try {
      const reply = await this.#context.store.perform("arm", {
        ...this.#admission(armedAt),
        ...statements,
      });
      if (reply.kind === "requirement_failed") refusal = notApplied("revoked");
      else if (reply.kind === "superseded") refusal = answer(lostOwnership);
      else if (reply.kind !== "armed") refusal = answer(this.#declined(reply));
    } catch (error) {
      if (!isUnavailable(error)) {
        if (this.#isArming()) this.#phase = "open";
        this.#stopped();
        throw error;
      }
      if (this.#reserve) await this.#releaseUnarmed();
      refusal = answer(unavailable(error));
    }
    if (!this.#isArming()) throw notArmed();
    if (refusal !== undefined) {
      this.#finish(refusal);
      throw notArmed();
    }
    this.#row = { ...this.#row, state: "armed", armedAt };
    this.#phase = "open";
    if (this.#stopped()) throw notArmed();
    this.#phase = "armed";
  }

  /** Ends the attempt if it was stopped and nothing can have happened yet. */
  #stopped(): boolean {
    if (this.#phase !== "open") return false;
    const code = this.#stops.code();
    if (code === undefined) return false;
    this.#finish(notApplied(code));
    return true;
  }

  #finishWith(result: EffectResult): void {
    this.#finish({ kind: "outcome", result });
  }

  #finish(ending: Ending): void {
    this.#phase = "ended";
    this.#end(ending);
  }

  /** Asked again after an await, during which the phase may have moved on. */
  #isArming(): boolean {
    return this.#phase === "arming";
  }

  /** The arm write failed, so nothing starts; if the store still writes, the row says so at once. */
  async #releaseUnarmed(): Promise<void> {
    const { outcome } = encodeOutcome(
      { kind: "not_applied", code: "not_started" },
      this.#context.limits,
    );
    await this.#context.store.perform("finish", { ...this.#admission(), outcome }).catch(() => {
      // A store that cannot write this either answers `unknown` until it is reopened.
    });
  }

  async #conclude(result: EffectResult): Promise<ReceiptAnswer> {
    const { outcome, omittedResult } = this.#encode(result);
    const alongside = result.kind === "applied" ? result.alongside : undefined;
    const finishedAt = this.#context.now();
    let row: ReceiptRow = { ...withOutcome(this.#row, outcome), finishedAt };
    let stored = false;
    try {
      const reply = await this.#context.store.perform("finish", {
        ...this.#admission(finishedAt),
        outcome,
        ...(alongside !== undefined && { alongside }),
      });
      if (reply.kind === "finished") {
        if (reply.refined) row = { ...row, wasUnknown: true, established: "late_report" };
        stored = true;
      } else if (reply.kind !== "superseded") {
        return this.#declined(reply);
      }
    } catch {
      // The outcome is true all the same; `stored: false` and the store's health say that it is not kept.
    }
    return { kind: "receipt", receipt: receiptOf(row, omittedResult), replayed: false, stored };
  }

  #encode(result: EffectResult): EncodedOutcome {
    const { limits } = this.#context;
    try {
      return encodeOutcome(result, limits);
    } catch {
      return encodeOutcome({ kind: "unknown", code: "outcome_unknown" }, limits);
    }
  }

  #declined(reply: Held | AdmissionRefusal): ReceiptAnswer {
    return reply.kind === "held" ? this.#context.answerHeld(reply.row) : reply;
  }

  #admission(now = this.#context.now()): Admission {
    const { limits, justMinted } = this.#context;
    return { row: this.#row, reserve: this.#reserve, limits, now, justMinted };
  }
}

const lostOwnership: ReceiptAnswer = {
  kind: "store_unavailable",
  reason: "The store took this process for dead and closed the receipt.",
};

function notApplied(code: string): Ending {
  return { kind: "outcome", result: { kind: "not_applied", code } };
}

function answer(value: ReceiptAnswer): Ending {
  return { kind: "answer", answer: value };
}

function notArmed(): ReceiptsError {
  return new ReceiptsError("not_armed", "The effect must not start; its receipt is closed.");
}

function isUnavailable(error: unknown): error is ReceiptsError {
  return error instanceof ReceiptsError && error.code === "store_unavailable";
}

function unavailable(error: unknown): ReceiptAnswer {
  if (isUnavailable(error)) return { kind: "store_unavailable", reason: error.message };
  throw error;
}
