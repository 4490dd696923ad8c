import { randomUUID } from "node:crypto";
import { newRequestId } from "@postern/protocol";
import { expect } from "vitest";
import { newMintedId, type ReceiptAnswer, type ReceiptLimits } from "../../src/index.ts";
import {
  applied,
  callOf,
  counted,
  gate,
  never,
  queryOf,
  receiptIn,
  receiptsOn,
  scope,
} from "./kit.ts";
import type { StoreCase } from "./kit.ts";

const NOW = 1_700_000_000_000;
const fenced: ReceiptLimits = { maxReceipts: 4, maxMinted: 2, eviction: "fenced" };

export const fencedCases: readonly StoreCase[] = [
  {
    ids: ["RCPT-19", "RCPT-01"],
    title: "a full fenced store drops its oldest ended receipt and refuses that id from then on",
    body: async (store) => {
      const receipts = receiptsOn(store, { now: () => NOW, limits: fenced });
      const calls = [1, 2, 3, 4, 5].map((at) => callOf({ requestId: newRequestId(NOW + at) }));
      const [first = callOf(), second = callOf()] = calls;

      for (const call of calls) await receipts.runOnce(call, counted().effect);

      expect(await receipts.find(queryOf(first))).toEqual([]);
      expect(await receipts.runOnce(first, never)).toEqual({ kind: "request_id_too_old" });
      const older = callOf({ requestId: newRequestId(NOW + 1) });
      expect(await receipts.runOnce(older, never)).toEqual({ kind: "request_id_too_old" });
      expect(await receipts.runOnce(second, never)).toMatchObject({ replayed: true });
      const { used, remaining } = await receipts.capacity("ann");
      expect([used, remaining]).toEqual([4, 0]);
    },
  },
  {
    ids: ["RCPT-19"],
    title: "a pending receipt is never dropped, and a store full of them refuses",
    body: async (store) => {
      const receipts = receiptsOn(store, {
        now: () => NOW,
        limits: { maxReceipts: 1, eviction: "fenced" },
      });
      const { open, passed } = gate();
      const armed = gate();
      const pending = callOf({ requestId: newRequestId(NOW) });
      const running = receipts.runOnce(pending, async (steps) => {
        await steps.arm();
        armed.open();
        await passed;
        return applied;
      });
      await armed.passed;

      const refused = await receipts.runOnce(callOf({ requestId: newRequestId(NOW + 1) }), never);
      open();
      const first = await running;
      const next = await receipts.runOnce(
        callOf({ requestId: newRequestId(NOW + 1) }),
        counted().effect,
      );

      expect(refused).toEqual({ kind: "request_limit", used: 1, max: 1 });
      expect(receiptIn(first).state).toBe("applied");
      expect(next.kind).toBe("receipt");
    },
  },
  {
    ids: ["RCPT-19", "RCPT-18"],
    title: "an id stamped more than five minutes ahead is refused, a clock set back is harmless",
    body: async (store) => {
      let now = NOW;
      const receipts = receiptsOn(store, { now: () => now, limits: fenced });
      const run = (stamp: number): Promise<ReceiptAnswer> =>
        receipts.runOnce(callOf({ requestId: newRequestId(stamp) }), counted().effect);

      expect((await run(NOW + 300_000)).kind).toBe("receipt");
      expect((await run(NOW + 300_001)).kind).toBe("request_id_from_future");
      now = NOW - 3_600_000;
      expect((await run(NOW)).kind).toBe("receipt");
    },
  },
  {
    ids: ["RCPT-19"],
    title: "ids without a time get half of each share and are never dropped",
    body: async (store) => {
      const limits = { ...fenced, maxReceiptsPerPrincipal: 2 };
      const receipts = receiptsOn(store, { now: () => NOW, limits });
      const run = (principal: string, requestId: string): Promise<ReceiptAnswer> =>
        receipts.runOnce(callOf({ requestId, scope: { ...scope, principal } }), counted().effect);
      const first = randomUUID();

      expect((await run("ann", first)).kind).toBe("receipt");
      expect(await run("ann", randomUUID())).toEqual({ kind: "request_limit", used: 1, max: 1 });
      expect((await run("bob", randomUUID())).kind).toBe("receipt");
      expect(await run("eve", randomUUID())).toEqual({ kind: "request_limit", used: 2, max: 2 });
      for (const at of [1, 2, 3, 4]) {
        expect((await run("ann", newRequestId(NOW + at))).kind).toBe("receipt");
      }
      expect(await run("ann", first)).toMatchObject({ replayed: true });
    },
  },
  {
    ids: ["RCPT-19", "RCPT-01"],
    title: "minted ids have a ring of their own, and one that is not held never runs",
    body: async (store) => {
      const receipts = receiptsOn(store, { now: () => NOW, limits: fenced });
      const calls = [1, 2, 3].map(() => callOf({ requestId: newMintedId() }));
      const [first = callOf(), , third = callOf()] = calls;

      for (const call of calls) {
        expect((await receipts.runOnce(call, counted().effect)).kind).toBe("receipt");
      }

      expect(await receipts.runOnce(first, never)).toEqual({ kind: "request_id_too_old" });
      expect(await receipts.runOnce(third, never)).toMatchObject({ replayed: true });
      const invented = callOf({ requestId: "01890a5d-ac96-8b3c-9e1f-0123456789ab" });
      expect(await receipts.runOnce(invented, never)).toEqual({ kind: "request_id_too_old" });
      expect((await receipts.capacity("ann")).used).toBe(0);
    },
  },
  {
    ids: ["RCPT-19"],
    title: "fence refuses every stamped id up to now that is not held",
    body: async (store) => {
      const receipts = receiptsOn(store, { now: () => NOW, limits: fenced });
      const held = callOf({ requestId: newRequestId(NOW - 5) });
      await receipts.runOnce(held, counted().effect);

      await receipts.fence();

      const at = (stamp: number): Promise<ReceiptAnswer> =>
        receipts.runOnce(callOf({ requestId: newRequestId(stamp) }), counted().effect);
      expect(await receipts.runOnce(held, never)).toMatchObject({ replayed: true });
      expect((await at(NOW)).kind).toBe("request_id_too_old");
      expect((await at(NOW + 1)).kind).toBe("receipt");
    },
  },
];
