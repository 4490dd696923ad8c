import { randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect } from "vitest";
import type { ReceiptAnswer } from "../src/index.ts";
import { openInlineStore } from "./inline-store.ts";
import { effectsIn, filesIn, runWriter } from "./rig.ts";
import { auditFaults, faultsOf, planned, preparedStore, stateOf } from "./comparison.ts";
import { doWork, type Work } from "./work.ts";

type Plan = Omit<Work, "file" | "log">;

/** Six ways to use the store; each is killed after every one of its steps. */
const scenarios: Record<string, () => Plan> = {
  plain: () => ({ calls: planned(1) }),
  single_write: () => ({ calls: planned(1, {}, { singleWrite: true }) }),
  refusal: () => ({ calls: planned(1, { refuses: true }) }),
  audited: () => ({ calls: planned(1, { audited: true }) }),
  together: () => ({ calls: planned(2), together: true }),
  fenced: () => ({
    calls: planned(1),
    limits: { maxReceipts: 1, maxStoreBytes: 1, eviction: "fenced" },
  }),
};

/** Kills the writer by this plan, runs the same calls again, and compares everything with the effect log. */
async function killAndCompare(template: string, plan: Plan, killAfterMs?: number): Promise<Tally> {
  const directory = join(dirname(dirname(template)), randomUUID());
  const files = filesIn(directory);
  mkdirSync(dirname(files.file), { recursive: true, mode: 0o700 });
  copyFileSync(template, files.file);
  const killed = await runWriter(
    { ...plan, ...files },
    killAfterMs === undefined ? {} : { killAfterMs },
  );
  const before = effectsIn(files.log);
  const { faults: _faults, dieAt: _dieAt, ...again } = plan;

  const retried = new Map<string, ReceiptAnswer>();
  await doWork(
    { ...again, ...files },
    (requestId, answer) => retried.set(requestId, answer),
    openInlineStore,
  );

  const after = effectsIn(files.log);
  const tally: Tally = { killed: killed.exit === "SIGKILL", states: [], wrong: [] };
  for (const { call } of plan.calls) {
    const answer = retried.get(call.requestId);
    const ran = [before.get(call.requestId) ?? 0, after.get(call.requestId) ?? 0] as const;
    tally.wrong.push(...faultsOf(killed.answers.get(call.requestId), answer, ran));
    tally.states.push(stateOf(answer));
  }
  tally.wrong.push(...auditFaults(files.file));
  return tally;
}

interface Tally {
  readonly killed: boolean;
  readonly states: string[];
  readonly wrong: string[];
}

proves(
  ["RCPT-01", "RCPT-02", "RCPT-03", "RCPT-12", "RCPT-15", "QUAL-31"],
  "killed after any step of any scenario, the next start repeats nothing, loses nothing and denies nothing",
  async () => {
    const template = await preparedStore(temporaryDirectory());
    const wrong: string[] = [];
    const walk = async (name: string, plan: () => Plan): Promise<number> => {
      for (const dieAt of ["before_arm", "before_effect", "after_effect"] as const) {
        const tally = await killAndCompare(template, { ...plan(), dieAt });
        wrong.push(...tally.wrong.map((fault) => `${name} ${dieAt}: ${fault}`));
      }
      for (let atStep = 1; ; atStep += 1) {
        const faults = { atStep, action: "kill", when: "after" } as const;
        const tally = await killAndCompare(template, { ...plan(), faults });
        wrong.push(...tally.wrong.map((fault) => `${name} after step ${String(atStep)}: ${fault}`));
        if (!tally.killed) return atStep - 1;
      }
    };

    const steps = await inPairs(
      Object.entries(scenarios).map(
        ([name, plan]) =>
          () =>
            walk(name, plan),
      ),
    );
    expect(wrong).toEqual([]);
    expect(Math.min(...steps)).toBeGreaterThan(8);
  },
  120_000,
);

proves(
  ["RCPT-01", "RCPT-15", "QUAL-31"],
  "killed at random moments the receipts agree with the effect log, and few are unknown",
  async () => {
    const template = await preparedStore(temporaryDirectory());

    const tallies = await inPairs(
      Array.from({ length: 10 }, () => async () => {
        const plan = { calls: planned(60), limits: { maxReceipts: 1_000 } };
        return killAndCompare(template, plan, Math.random() * 40);
      }),
    );

    expect(tallies.flatMap(({ wrong }) => wrong)).toEqual([]);
    const states = tallies.flatMap((tally) => tally.states);
    expect(states.filter((state) => state === "unknown").length).toBeLessThanOrEqual(
      states.length / 4,
    );
  },
  60_000,
);

/** Two experiments at a time, in order. */
async function inPairs<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const queue = tasks.entries();
  const results: T[] = [];
  const work = async (): Promise<void> => {
    for (const [index, task] of queue) results[index] = await task();
  };
  await Promise.all([work(), work()]);
  return results;
}
