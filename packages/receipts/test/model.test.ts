import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { EffectResult, EffectSteps, ReceiptAnswer, ReceiptStore } from "../src/index.ts";
import { MemoryTable } from "../src/ledger/memory-table.ts";
import { storeOver } from "../src/memory-store.ts";
import { applied, callOf, receiptIn, receiptsOn } from "./suite/kit.ts";

const CAP = 4;
const IDS = Array.from({ length: 7 }, () => callOf().requestId);

/** How each kind of call must end: the state and code that every later repeat is told, and whether it ran. */
const endings = {
  applies: ["applied", undefined, 1],
  refuses: ["refused", "busy", 0],
  throws_early: ["not_applied", "not_started", 0],
  throws_late: ["unknown", "outcome_unknown", 1],
  cancelled: ["not_applied", "cancelled", 0],
  expired: ["not_applied", "deadline_exceeded", 0],
  fenced_before: ["not_applied", "revoked", 0],
  fenced_during: ["not_applied", "revoked", 0],
  crashes_early: ["not_applied", "crashed_before_effect", 0],
  crashes_late: ["unknown", "owner_lost", 1],
} as const;
type Behaviour = keyof typeof endings;

interface Step {
  readonly id: number;
  readonly args: number;
  readonly behaviour: Behaviour;
  readonly singleWrite: boolean;
}

/** The model: a map of what was promised. Everything the package adds must be invisible against it. */
class Model {
  readonly #promised = new Map<number, { args: number; told: string; ran: number }>();

  expect({ id, args, behaviour, singleWrite }: Step): { told: string; ran: number } {
    const known = this.#promised.get(id);
    if (known !== undefined) {
      return { told: known.args === args ? known.told : "request_conflict", ran: known.ran };
    }
    if (this.#promised.size >= CAP) return { told: "request_limit", ran: 0 };
    const [state, code, ran] = endings[behaviour];
    if (behaviour === "crashes_early" && singleWrite) return { told: "crashed", ran };
    const told = code === undefined ? state : `${state}/${code}`;
    this.#promised.set(id, { args, told, ran });
    return { told: behaviour.startsWith("crashes") ? "crashed" : told, ran };
  }
}

/** The package, driven by the same steps; a crash is a new owner on the same rows. */
class Real {
  readonly #table = new MemoryTable();
  readonly #ran = new Map<number, number>();
  #store = storeOver(this.#table);
  #receipts = receiptsOn(this.#store, { limits: { maxReceipts: CAP } });

  async run(step: Step): Promise<{ told: string; ran: number }> {
    const told = await this.#told(step);
    return { told, ran: this.#ran.get(step.id) ?? 0 };
  }

  async #told({ id, args, behaviour, singleWrite }: Step): Promise<string> {
    const controller = new AbortController();
    let fenced = false;
    let crash: (told: string) => void = () => undefined;
    const crashed = new Promise<string>((resolve) => {
      crash = resolve;
    });
    const call = callOf({
      requestId: IDS[id] ?? "",
      args,
      singleWrite,
      signal: controller.signal,
      isFenced: () => fenced,
      ...(behaviour === "expired" && { deadlineMs: 0 }),
    });
    const effect = async (steps: EffectSteps): Promise<EffectResult> => {
      if (behaviour === "refuses") return { kind: "refused", code: "busy", message: "Busy." };
      if (behaviour === "throws_early") throw new Error("early");
      if (behaviour === "cancelled") controller.abort();
      if (behaviour === "crashes_early") return halt(crash);
      if (behaviour === "fenced_before") fenced = true;
      const arming = steps.arm();
      if (behaviour === "fenced_during") fenced = true;
      await arming;
      this.#ran.set(id, (this.#ran.get(id) ?? 0) + 1);
      if (behaviour === "throws_late") throw new Error("late");
      return behaviour === "crashes_late" ? halt(crash) : applied;
    };
    const told = await Promise.race([this.#receipts.runOnce(call, effect).then(tell), crashed]);
    if (told === "crashed") await this.#restart();
    return told;
  }

  async #restart(): Promise<void> {
    const { owner } = this.#store;
    this.#store = storeOver(this.#table);
    this.#receipts = receiptsOn(this.#store, { limits: { maxReceipts: CAP } });
    await this.#store.perform("bury", { owner, now: Date.now() });
  }
}

function halt(crash: (told: string) => void): Promise<never> {
  crash("crashed");
  return new Promise(() => undefined);
}

function tell(answer: ReceiptAnswer): string {
  if (answer.kind !== "receipt") return answer.kind;
  const { state, code } = answer.receipt;
  return code === undefined ? state : `${state}/${code}`;
}

const step: fc.Arbitrary<Step> = fc.record({
  id: fc.nat({ max: IDS.length - 1 }),
  args: fc.nat({ max: 1 }),
  behaviour: fc.constantFrom(...(Object.keys(endings) as Behaviour[])),
  singleWrite: fc.boolean(),
});

proves(
  ["QUAL-30", "RCPT-01", "RCPT-15"],
  "any history of calls, stops, crashes and repeats is told as the model tells it",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const model = new Model();
        const real = new Real();
        for (const next of steps) expect(await real.run(next)).toEqual(model.expect(next));
      }),
      { numRuns: 2_000 },
    );
  },
);

proves(
  ["QUAL-30", "RCPT-01", "RCPT-09"],
  "in any order of the store's answers an id runs once and all its callers are told the same",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.nat({ max: IDS.length - 1 }), { minLength: 2, maxLength: 14 }),
        fc.boolean(),
        async (scheduler, ids, singleWrite) => {
          const inner = storeOver(new MemoryTable());
          const store: ReceiptStore = {
            ...inner,
            perform: (kind, request) =>
              scheduler.schedule(Promise.resolve(kind)).then(() => inner.perform(kind, request)),
          };
          const receipts = receiptsOn(store, { limits: { maxReceipts: CAP } });
          const ran: number[] = [];
          const answering = ids.map((id) =>
            receipts.runOnce(callOf({ requestId: IDS[id] ?? "", singleWrite }), async (steps) => {
              await steps.arm();
              ran.push(id);
              return { kind: "applied", result: id };
            }),
          );

          const answers = await scheduler.waitFor(Promise.all(answering));

          expect(new Set(ran).size).toBe(ran.length);
          expect(ran.length).toBe(Math.min(new Set(ids).size, CAP));
          for (const answer of answers.filter(({ kind }) => kind === "receipt")) {
            expect(ran).toContain(receiptIn(answer).result);
          }
        },
      ),
      { numRuns: 500 },
    );
  },
);
