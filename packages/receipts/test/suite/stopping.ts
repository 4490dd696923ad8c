import { expect } from "vitest";
import { applied, callOf, counted, gate, never, queryOf, receiptIn, receiptsOn } from "./kit.ts";
import type { StoreCase } from "./kit.ts";

export const stoppingCases: readonly StoreCase[] = [
  {
    ids: ["RCPT-04"],
    title: "a deadline before arming ends the receipt at once, although the effect does not listen",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const call = callOf({ deadlineMs: 300 });
      const { open, passed } = gate();
      let lateArm: Promise<void> | undefined;

      const answer = await receipts.runOnce(call, async (steps) => {
        await passed;
        lateArm = steps.arm();
        await lateArm;
        return applied;
      });
      open();

      expect(receiptIn(answer)).toMatchObject({ state: "not_applied", code: "deadline_exceeded" });
      await passed;
      await expect(lateArm).rejects.toMatchObject({ code: "not_armed" });
      expect(receiptIn(await receipts.runOnce(call, never))).toEqual(receiptIn(answer));
    },
  },
  {
    ids: ["RCPT-04", "RCPT-08"],
    title: "a cancel before arming is a receipt, also when it came before the call",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const controller = new AbortController();
      const call = callOf({ signal: controller.signal });

      const running = receipts.runOnce(call, async (steps) => {
        controller.abort();
        expect(steps.signal.aborted).toBe(true);
        await steps.arm();
        return applied;
      });
      const late = await receipts.runOnce(callOf({ signal: AbortSignal.abort() }), never);

      expect(receiptIn(await running)).toMatchObject({ state: "not_applied", code: "cancelled" });
      expect(receiptIn(late)).toMatchObject({ state: "not_applied", code: "cancelled" });
    },
  },
  {
    ids: ["RCPT-04"],
    title: "after arming a cancel and a deadline reach the effect, and its receipt is completed",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const controller = new AbortController();
      const call = callOf({ signal: controller.signal, deadlineMs: 60_000 });

      const answer = await receipts.runOnce(call, async (steps) => {
        await steps.arm();
        controller.abort();
        return { kind: "applied", result: { stopped: steps.signal.aborted } };
      });

      expect(receiptIn(answer)).toMatchObject({ state: "applied", result: { stopped: true } });
    },
  },
  {
    ids: ["RCPT-18"],
    title: "the deadline goes by the monotonic clock and nothing else goes by the wall clock",
    body: async (store) => {
      let wall = 1_700_000_000_000;
      let monotonic = 0;
      const receipts = receiptsOn(store, { now: () => wall, monotonicNow: () => monotonic });
      const year = 31_536_000_000;

      const answers = [];
      for (const jump of [0, 3_600_000, -3_600_000, year, -year]) {
        const call = callOf({ deadlineMs: 10_000 });
        const first = await receipts.runOnce(call, async (steps) => {
          wall += jump;
          await steps.arm();
          return applied;
        });
        expect(receiptIn(await receipts.runOnce(call, never))).toEqual(receiptIn(first));
        answers.push(receiptIn(first).state);
      }
      const expired = await receipts.runOnce(callOf({ deadlineMs: 10_000 }), async (steps) => {
        monotonic += 10_000;
        await steps.arm();
        return applied;
      });

      expect(answers).toEqual(["applied", "applied", "applied", "applied", "applied"]);
      expect(receiptIn(expired)).toMatchObject({ code: "deadline_exceeded" });
    },
  },
  {
    ids: ["RCPT-11"],
    title: "a fence that falls before, during or after the arm write lets no effect start",
    body: async (store) => {
      const receipts = receiptsOn(store);
      let started = 0;
      const run = async (fenceAt: "before" | "during"): Promise<unknown> => {
        let fenced = false;
        const answer = await receipts.runOnce(callOf({ isFenced: () => fenced }), async (steps) => {
          if (fenceAt === "before") fenced = true;
          const arming = steps.arm();
          fenced = true;
          await arming;
          started += 1;
          return applied;
        });
        return receiptIn(answer);
      };

      const before = await run("before");
      const during = await run("during");

      expect(before).toMatchObject({ state: "not_applied", code: "revoked" });
      expect(during).toMatchObject({ state: "not_applied", code: "revoked" });
      expect(started).toBe(0);
    },
  },
  {
    ids: ["RCPT-11"],
    title: "a fence that cannot be read counts as closed, and a cancel under a fence says revoked",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const controller = new AbortController();
      const broken = (): boolean => {
        throw new Error("unreadable");
      };

      const unreadable = await receipts.runOnce(callOf({ isFenced: broken }), counted().effect);
      const revoked = receipts.runOnce(
        callOf({ isFenced: () => controller.signal.aborted, signal: controller.signal }),
        () => new Promise(() => undefined),
      );
      setImmediate(() => controller.abort());

      expect(receiptIn(unreadable)).toMatchObject({ code: "revoked" });
      expect(receiptIn(await revoked)).toMatchObject({ state: "not_applied", code: "revoked" });
    },
  },
  {
    ids: ["RCPT-06"],
    title: "a joiner waits for joinMs, its own deadline or its own cancel, and disturbs nobody",
    body: async (store) => {
      const receipts = receiptsOn(store, { limits: { joinMs: 5 } });
      const call = callOf();
      const { open, passed } = gate();
      const armed = gate();
      const running = receipts.runOnce(call, async (steps) => {
        await steps.arm();
        armed.open();
        await passed;
        return applied;
      });
      await armed.passed;

      const joined = await receipts.runOnce(call, never);
      const cancelled = await receipts.runOnce({ ...call, signal: AbortSignal.abort() }, never);
      open();

      const inProgress = { kind: "request_in_progress", state: "armed", retryAfterMs: 1_000 };
      expect(joined).toEqual(inProgress);
      expect(cancelled).toEqual(inProgress);
      expect(receiptIn(await running).state).toBe("applied");
    },
  },
  {
    ids: ["RCPT-06"],
    title: "a joiner gets the first caller's outcome, the first caller present or not",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const call = callOf();
      const { open, passed } = gate();
      const running = receipts.runOnce(call, async (steps) => {
        await steps.arm();
        await passed;
        return applied;
      });

      const short = await receipts.runOnce({ ...call, deadlineMs: 5 }, never);
      const joining = receipts.runOnce(call, never);
      open();

      expect(short.kind).toBe("request_in_progress");
      expect(await joining).toEqual({ ...(await running), replayed: true });
    },
  },
  {
    ids: ["RCPT-04", "RCPT-14"],
    title: "close ends what is not armed, completes what is, and then takes no call",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const { open, passed } = gate();
      const waiting = receipts.runOnce(callOf(), () => new Promise(() => undefined));
      const armed = receipts.runOnce(callOf(), async (steps) => {
        await steps.arm();
        open();
        return { kind: "applied", result: { late: true } };
      });
      await passed;

      await receipts.close();

      expect(receiptIn(await waiting)).toMatchObject({ state: "not_applied", code: "cancelled" });
      expect(await armed).toMatchObject({ stored: true, receipt: { state: "applied" } });
      expect(await receipts.runOnce(callOf(), never)).toMatchObject({ kind: "store_unavailable" });
      await expect(receipts.find(queryOf(callOf()))).rejects.toMatchObject({
        code: "store_unavailable",
      });
    },
  },
];
