import { randomUUID } from "node:crypto";
import { newRequestId } from "@postern/protocol";
import type { proves } from "@postern/testing";
import {
  createReceipts,
  type EffectSteps,
  type EffectResult,
  type Receipt,
  type ReceiptAnswer,
  type ReceiptCall,
  type Receipts,
  type ReceiptsOptions,
  type ReceiptStore,
} from "../../src/index.ts";

/** One behaviour that every store must show. */
export interface StoreCase {
  readonly ids: Parameters<typeof proves>[0];
  readonly title: string;
  readonly body: (store: ReceiptStore) => Promise<void>;
}

export function receiptsOn(store: ReceiptStore, options: Partial<ReceiptsOptions> = {}): Receipts {
  return createReceipts(store, {
    now: Date.now,
    monotonicNow: () => performance.now(),
    newAttempt: randomUUID,
    ...options,
  });
}

export const scope = { principal: "ann", instance: "store-1", tool: "write" };

export function callOf(over: Partial<ReceiptCall> = {}): ReceiptCall {
  return { scope, requestId: newRequestId(), args: { text: "hello" }, ...over };
}

export const applied: EffectResult = { kind: "applied", result: { done: true } };

/** An effect that arms, counts itself, and applies. */
export function counted(): { count: number; effect: (s: EffectSteps) => Promise<EffectResult> } {
  const counter = {
    count: 0,
    effect: async (steps: EffectSteps) => {
      await steps.arm();
      counter.count += 1;
      return applied;
    },
  };
  return counter;
}

export function never(): Promise<EffectResult> {
  throw new Error("This effect must not run.");
}

export function receiptIn(answer: ReceiptAnswer): Receipt {
  if (answer.kind !== "receipt") throw new Error(`Expected a receipt, got ${answer.kind}.`);
  return answer.receipt;
}

export function gate(): { open: () => void; passed: Promise<void> } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), passed };
}

export function queryOf(call: ReceiptCall): {
  principal: string;
  instance: string;
  requestId: string;
} {
  const { principal, instance } = call.scope;
  return { principal, instance, requestId: call.requestId };
}
