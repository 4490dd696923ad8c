import type { JsonObject } from "@postern/protocol";
import { expect } from "vitest";
import type { EffectResult, Receipt } from "../../src/index.ts";
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

export const onceCases: readonly StoreCase[] = [
  {
    ids: ["RCPT-01", "RCPT-02"],
    title: "a repeat is answered by the original receipt, byte for byte, and runs nothing",
    body: async (store) => {
      let now = 1_700_000_000_000;
      const receipts = receiptsOn(store, { now: () => now });
      const call = callOf();
      const { effect } = counted();

      const first = await receipts.runOnce(call, effect);
      now += 3_600_000;
      const again = await receipts.runOnce(call, never);

      expect(first).toMatchObject({ kind: "receipt", replayed: false, stored: true });
      expect(again).toMatchObject({ kind: "receipt", replayed: true, stored: true });
      expect(JSON.stringify(receiptIn(again))).toBe(JSON.stringify(receiptIn(first)));
      expect(receiptIn(first).createdAt).toBe("2023-11-14T22:13:20.000Z");
      expect(await receipts.find(queryOf(call))).toEqual([receiptIn(first)]);
    },
  },
  {
    ids: ["RCPT-01", "QUAL-32"],
    title: "one id asked a thousand times at once runs one effect",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const call = callOf();
      const counter = counted();

      const answers = await Promise.all(
        Array.from({ length: 1_000 }, () => receipts.runOnce(call, counter.effect)),
      );

      expect(counter.count).toBe(1);
      expect(
        answers.filter((answer) => answer.kind === "receipt" && !answer.replayed),
      ).toHaveLength(1);
      expect(new Set(answers.map((answer) => JSON.stringify(receiptIn(answer)))).size).toBe(1);
    },
  },
  {
    ids: ["RCPT-01", "RCPT-08"],
    title: "a refusal keeps its code and data, and its id never runs again",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const call = callOf();
      const refusal = {
        kind: "refused",
        code: "busy",
        message: "Busy.",
        data: { by: "x" },
      } as const;

      const first = await receipts.runOnce(call, async () => refusal);
      const again = await receipts.runOnce(call, never);

      expect(receiptIn(first)).toMatchObject({
        state: "refused",
        code: "busy",
        message: "Busy.",
        data: { by: "x" },
      });
      expect(receiptIn(again)).toEqual(receiptIn(first));
    },
  },
  {
    ids: ["RCPT-01", "RCPT-03"],
    title:
      "a throw before arming is not applied, a throw after it is unknown, and neither runs again",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const before = callOf();
      const after = callOf();

      const early = await receipts.runOnce(before, never);
      const late = await receipts.runOnce(after, async (steps) => {
        await steps.arm();
        throw new Error("lost");
      });

      expect(receiptIn(early)).toMatchObject({ state: "not_applied", code: "not_started" });
      expect(receiptIn(late)).toMatchObject({ state: "unknown", code: "outcome_unknown" });
      const counter = counted();
      expect(receiptIn(await receipts.runOnce(before, counter.effect))).toEqual(receiptIn(early));
      expect(receiptIn(await receipts.runOnce(after, counter.effect))).toEqual(receiptIn(late));
      expect(counter.count).toBe(0);
    },
  },
  {
    ids: ["RCPT-03"],
    title: "an effect that says applied without having armed, or returns no JSON, is unknown",
    body: async (store) => {
      const receipts = receiptsOn(store);

      const unarmed = await receipts.runOnce(callOf(), async () => applied);
      const noJson = await receipts.runOnce(callOf(), async (steps) => {
        await steps.arm();
        return { kind: "applied", result: 1n as never };
      });

      expect(receiptIn(unarmed).state).toBe("unknown");
      expect(receiptIn(noJson).state).toBe("unknown");
    },
  },
  {
    ids: ["RCPT-17"],
    title: "a note left at arming stays with the receipt, unless a refusal has details of its own",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const run = async (note: JsonObject, end: () => EffectResult): Promise<Receipt> => {
        const call = callOf();
        const answer = await receipts.runOnce(call, async (steps) => {
          await steps.arm({ note });
          return end();
        });
        const [found] = await receipts.find(queryOf(call));
        expect(found).toEqual(receiptIn(answer));
        return receiptIn(answer);
      };
      const note = { place: "here" };

      expect((await run(note, () => applied)).data).toEqual(note);
      expect((await run(note, () => ({ kind: "unknown", code: "x" }))).data).toEqual(note);
      const refusal = { kind: "refused", code: "x", message: "x", data: { own: 1 } } as const;
      expect((await run(note, () => refusal)).data).toEqual({ own: 1 });
      expect((await run({ place: "x".repeat(4_096) }, () => applied)).data).toBeUndefined();
    },
  },
  {
    ids: ["RCPT-17"],
    title: "the newest receipts of an instance are listed in order, without their results",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const calls = [callOf(), callOf(), callOf()];
      for (const call of calls) await receipts.runOnce(call, counted().effect);
      await receipts.runOnce(callOf({ scope: { ...scope, instance: "other" } }), counted().effect);

      const listed = await receipts.list({ instance: scope.instance, last: 2 });

      expect(listed.map(({ requestId }) => requestId)).toEqual(
        calls.slice(1).map(({ requestId }) => requestId),
      );
      expect(listed.map(({ state, result, resultBytes }) => [state, result, resultBytes])).toEqual([
        ["applied", undefined, 13],
        ["applied", undefined, 13],
      ]);
      expect(await receipts.list({ instance: scope.instance, last: 0 })).toEqual([]);
    },
  },
  {
    ids: ["RCPT-03"],
    title: "an armed row is written before arm resolves",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const call = callOf();

      const answer = await receipts.runOnce(call, async (steps) => {
        const reserved = await receipts.find(queryOf(call));
        await steps.arm();
        const armed = await receipts.find(queryOf(call));
        return { kind: "applied", result: [reserved[0]?.state ?? "", armed[0]?.state ?? ""] };
      });

      expect(receiptIn(answer).result).toEqual(["reserved", "armed"]);
    },
  },
  {
    ids: ["RCPT-12"],
    title: "with singleWrite nothing is written before the arming or the refusal",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const armed = callOf({ singleWrite: true });
      const refused = callOf({ singleWrite: true });

      const first = await receipts.runOnce(armed, async (steps) => {
        const before = await receipts.find(queryOf(armed));
        await steps.arm();
        return {
          kind: "applied",
          result: [before.length, (await receipts.find(queryOf(armed))).length],
        };
      });
      const second = await receipts.runOnce(refused, never);

      expect(receiptIn(first)).toMatchObject({ state: "applied", result: [0, 1] });
      expect(receiptIn(second)).toMatchObject({ state: "not_applied", code: "not_started" });
      expect(receiptIn(await receipts.runOnce(armed, never))).toEqual(receiptIn(first));
      expect(receiptIn(await receipts.runOnce(refused, never))).toEqual(receiptIn(second));
    },
  },
  {
    ids: ["RCPT-05"],
    title:
      "other arguments under a known id are a conflict that shows nothing, in flight and after",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const call = callOf({ args: { a: 1, b: [2] } });
      const other = { ...call, args: { a: 1, b: [3] } };
      const { open, passed } = gate();

      const running = receipts.runOnce(call, async (steps) => {
        await steps.arm();
        await passed;
        return applied;
      });
      const during = await receipts.runOnce(other, never);
      open();
      const first = await running;

      expect(during).toEqual({ kind: "request_conflict" });
      expect(await receipts.runOnce(other, never)).toEqual({ kind: "request_conflict" });
      const reordered = await receipts.runOnce({ ...call, args: { b: [2], a: 1 } }, never);
      expect(receiptIn(reordered)).toEqual(receiptIn(first));
    },
  },
  {
    ids: ["RCPT-07"],
    title: "each part of the scope separates ids, and find shows only its principal and instance",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const call = callOf();
      const counter = counted();
      const scopes = [
        call.scope,
        { ...call.scope, principal: "bob" },
        { ...call.scope, instance: "store-2" },
        { ...call.scope, tool: "send" },
      ];

      for (const scope of scopes) await receipts.runOnce({ ...call, scope }, counter.effect);

      expect(counter.count).toBe(4);
      const found = await receipts.find(queryOf(call));
      expect(found.map(({ scope }) => scope.tool)).toEqual(["write", "send"]);
      expect(await receipts.find({ ...queryOf(call), tool: "send" })).toHaveLength(1);
      expect(await receipts.find({ ...queryOf(call), principal: "eve" })).toEqual([]);
    },
  },
  {
    ids: ["RCPT-05", "RCPT-07"],
    title: "an id in upper case is the same id",
    body: async (store) => {
      const receipts = receiptsOn(store);
      const call = callOf();

      const first = await receipts.runOnce(
        { ...call, requestId: call.requestId.toUpperCase() },
        counted().effect,
      );

      expect(receiptIn(first).requestId).toBe(call.requestId);
      expect(receiptIn(await receipts.runOnce(call, never))).toEqual(receiptIn(first));
    },
  },
];
