import { newRequestId } from "@postern/protocol";
import { expect } from "vitest";
import type { FillWarning, ReceiptAnswer } from "../../src/index.ts";
import { applied, callOf, counted, never, queryOf, receiptIn, receiptsOn, scope } from "./kit.ts";
import type { StoreCase } from "./kit.ts";

export const admissionCases: readonly StoreCase[] = [
  {
    ids: ["RCPT-09", "QUAL-32"],
    title: "of a thousand new ids at once exactly maxReceipts are accepted, known ids go on",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const counter = counted();
      const calls = Array.from({ length: 1_000 }, () => callOf());

      const answers = await Promise.all(
        calls.map((call) => receipts.runOnce(call, counter.effect)),
      );

      const kinds = answers.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === "receipt")).toHaveLength(128);
      expect(kinds.filter((kind) => kind === "request_limit")).toHaveLength(872);
      expect(counter.count).toBe(128);
      const known = calls[kinds.indexOf("receipt")] ?? callOf();
      const refused = calls[kinds.indexOf("request_limit")] ?? callOf();
      expect(await receipts.runOnce(known, never)).toMatchObject({ replayed: true });
      expect(await receipts.find(queryOf(known))).toHaveLength(1);
      expect(await receipts.find(queryOf(refused))).toEqual([]);
      expect(await receipts.capacity("ann")).toEqual({ used: 128, max: 128, remaining: 0 });
    },
  },
  {
    ids: ["RCPT-09", "RCPT-12"],
    title: "singleWrite keeps to the figure as exactly",
    body: async (store) => {
      const receipts = receiptsOn(store, { limits: { maxReceipts: 3 } });
      const counter = counted();

      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          receipts.runOnce(callOf({ singleWrite: true }), counter.effect),
        ),
      );

      expect(answers.filter(({ kind }) => kind === "receipt")).toHaveLength(3);
      expect(answers.filter(({ kind }) => kind === "request_limit")).toHaveLength(7);
      expect(counter.count).toBe(3);
    },
  },
  {
    ids: ["RCPT-09"],
    title: "a principal at its share is refused, others are not, one under and at the figure pass",
    body: async (store) => {
      const receipts = receiptsOn(store, {
        limits: { maxReceipts: 3, maxReceiptsPerPrincipal: 2 },
      });
      const run = (principal: string): Promise<ReceiptAnswer> =>
        receipts.runOnce(callOf({ scope: { ...scope, principal } }), counted().effect);

      expect((await run("ann")).kind).toBe("receipt");
      expect(await receipts.capacity("ann")).toEqual({ used: 1, max: 2, remaining: 1 });
      expect((await run("ann")).kind).toBe("receipt");
      expect(await run("ann")).toEqual({ kind: "request_limit", used: 2, max: 2 });
      expect((await run("bob")).kind).toBe("receipt");
      expect(await run("bob")).toEqual({ kind: "request_limit", used: 3, max: 3 });
      expect(await receipts.capacity("bob")).toEqual({ used: 1, max: 2, remaining: 0 });
    },
  },
  {
    ids: ["RCPT-10"],
    title: "a store that evicts nothing warns once at 75, 90 and 100 percent",
    body: async (store) => {
      const warnings: FillWarning[] = [];
      const receipts = receiptsOn(store, {
        limits: { maxReceipts: 20 },
        onFillWarning: (warning) => warnings.push(warning),
      });
      const first = callOf();

      for (let index = 0; index < 22; index += 1) {
        await receipts.runOnce(index === 0 ? first : callOf(), counted().effect);
      }

      expect(warnings).toEqual([
        { percent: 75, used: 15, max: 20 },
        { percent: 90, used: 18, max: 20 },
        { percent: 100, used: 20, max: 20 },
      ]);
      expect(await receipts.runOnce(first, never)).toMatchObject({ replayed: true });
    },
  },
  {
    ids: ["RCPT-02"],
    title: "a result over maxResultBytes is answered once and kept as length, hash and summary",
    body: async (store) => {
      const receipts = receiptsOn(store, { limits: { maxResultBytes: 1_024 } });
      const textOf = (bytes: number): string => "x".repeat(bytes - 2);
      const run = async (bytes: number): Promise<ReceiptAnswer[]> => {
        const call = callOf();
        const first = await receipts.runOnce(call, async (steps) => {
          await steps.arm();
          return { kind: "applied", result: textOf(bytes), summary: { bytes } };
        });
        return [first, await receipts.runOnce(call, never)];
      };

      for (const bytes of [1_023, 1_024]) {
        const [first, again] = (await run(bytes)).map(receiptIn);
        expect(again).toEqual(first);
        expect(first).toMatchObject({ resultBytes: bytes, summary: { bytes } });
      }
      const [first, again] = (await run(1_025)).map(receiptIn);
      expect(first?.result).toBe(textOf(1_025));
      expect(again).toMatchObject({ resultOmitted: true, resultBytes: 1_025 });
      expect(again).not.toHaveProperty("result");
      expect(again?.resultSha256).toBe(first?.resultSha256);
      expect(again?.summary).toEqual({ bytes: 1_025 });
    },
  },
  {
    ids: ["RCPT-19"],
    title: "beyond maxStoreBytes the oldest results are reduced, the newest stay",
    body: async (store) => {
      const receipts = receiptsOn(store, { limits: { maxStoreBytes: 1_000 } });
      const calls = [callOf(), callOf(), callOf()];

      for (const call of calls) {
        await receipts.runOnce(call, async (steps) => {
          await steps.arm();
          return { kind: "applied", result: "x".repeat(498) };
        });
      }

      const kept = await Promise.all(calls.map((call) => receipts.find(queryOf(call))));
      expect(kept.map(([receipt]) => receipt?.resultOmitted ?? false)).toEqual([
        true,
        false,
        false,
      ]);
      expect(kept[0]?.[0]).toMatchObject({ state: "applied", resultBytes: 500 });
    },
  },
  {
    ids: ["RCPT-02"],
    title: "an unknown receipt is settled by evidence exactly once, any other one is frozen",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const call = callOf();
      await receipts.runOnce(call, async (steps) => {
        await steps.arm();
        throw new Error("lost");
      });

      const undecided = await receipts.reconcile(call, async () => "undecided");
      const [settled, second] = await Promise.all([
        receipts.reconcile(call, async (receipt) => {
          expect(receipt.state).toBe("unknown");
          return applied;
        }),
        receipts.reconcile(call, async () => ({ kind: "not_applied", code: "not_started" })),
      ]);
      const frozen = await receipts.reconcile(call, async () => {
        throw new Error("must not be asked");
      });

      expect(undecided.state).toBe("unknown");
      expect(settled).toMatchObject({
        state: "applied",
        result: { done: true },
        wasUnknown: true,
        established: "evidence",
      });
      expect(second).toEqual(settled);
      expect(frozen).toEqual(settled);
      expect(receiptIn(await receipts.runOnce(call, never))).toEqual(settled);
      const stranger = { scope, requestId: newRequestId() };
      await expect(receipts.reconcile(stranger, never)).rejects.toMatchObject({
        code: "receipt_not_found",
      });
    },
  },
];
