import { Attempt } from "./attempt.ts";
import { receiptKeyOf, receiptQueryOf } from "./call-check.ts";
import { ReceiptsError } from "./errors.ts";
import { fillWarnings, type FillWarning } from "./fill-warnings.ts";
import { fingerprint } from "./fingerprint.ts";
import { answerHeld, orphaned } from "./held-answer.ts";
import { join } from "./join.ts";
import { resolveLimits, type ReceiptLimits } from "./limits.ts";
import { encodeOutcome } from "./outcome.ts";
import type { Receipts } from "./receipt.ts";
import { isPending, newRow, receiptOf, type ReceiptRow, type RowKey } from "./receipt-row.ts";
import type { ReceiptStore } from "./receipt-store.ts";
import { claimMintedId } from "./request-id.ts";

export interface ReceiptsOptions {
  /** Unix milliseconds of the wall clock; shown, and compared with time-stamped ids. */
  now(): number;
  /** Milliseconds of a clock that never jumps; deadlines go by it. */
  monotonicNow(): number;
  /** A fresh unique id for each run. */
  newAttempt(): string;
  readonly limits?: ReceiptLimits;
  /** Called when a store that evicts nothing passes 75, 90 and 100 % of `maxReceipts`. */
  onFillWarning?(warning: FillWarning): void;
}

const CLOSE_GRACE_MS = 5_000;
const MAX_LISTED = 10_000;

/** The receipts of one store. A store serves one `createReceipts`; several processes may share one SQLite file. */
export function createReceipts(store: ReceiptStore, options: ReceiptsOptions): Receipts {
  const limits = resolveLimits(options.limits);
  const now = (): number => options.now();
  const running = new Map<string, Attempt>();
  const warnIfFull = fillWarnings(limits, (warning) => options.onFillWarning?.(warning));
  let closed = false;

  /** A pending row of ours that nothing here runs any more: its outcome was never written. */
  const settledView = (row: ReceiptRow): ReceiptRow => {
    const isOurs = isPending(row) && row.owner === store.owner;
    return isOurs && !running.has(keyText(row)) ? orphaned(row, now()) : row;
  };

  return {
    async runOnce(call, effect) {
      const key = receiptKeyOf(call);
      const print = fingerprint(key.tool, call.args);
      const text = keyText(key);
      const first = running.get(text);
      if (first !== undefined) return join(first, print, call, limits.joinMs);
      if (closed) return { kind: "store_unavailable", reason: "The receipts are closed." };
      const row = newRow(key, {
        fingerprint: print,
        attempt: options.newAttempt(),
        owner: store.owner,
        createdAt: now(),
      });
      const attempt = new Attempt(
        {
          store,
          limits,
          now,
          monotonicNow: () => options.monotonicNow(),
          row,
          justMinted: claimMintedId(key.requestId),
          answerHeld: (held) => answerHeld(held, print, store.owner, now()),
          onClaimed: warnIfFull,
        },
        call,
        effect,
      );
      running.set(text, attempt);
      try {
        return await attempt.answer;
      } finally {
        running.delete(text);
      }
    },

    health: () => store.health(),

    async find(query) {
      const { rows } = await store.perform("find", receiptQueryOf(query));
      return rows.map((row) => receiptOf(settledView(row)));
    },

    async list({ instance, last }) {
      const limited = Math.min(MAX_LISTED, Math.max(0, Math.trunc(last)));
      const { rows } = await store.perform("list", { instance, last: limited });
      return rows.map((row) => receiptOf(settledView(row)));
    },

    async reconcile(key, evidence) {
      const rowKey = receiptKeyOf(key);
      const { rows } = await store.perform("find", rowKey);
      const [row] = rows;
      if (row === undefined) {
        throw new ReceiptsError("receipt_not_found", "No receipt has this scope and requestId.");
      }
      const receipt = receiptOf(settledView(row));
      if (row.state !== "unknown") return receipt;
      const found = await evidence(receipt);
      if (found === "undecided") return receipt;
      const settled = await store.perform("settle", {
        key: rowKey,
        outcome: encodeOutcome(found, limits).outcome,
        now: now(),
        maxStoreBytes: limits.maxStoreBytes,
      });
      return settled.row === undefined ? receipt : receiptOf(settled.row);
    },

    capacity: (principal) => store.perform("capacity", { principal, limits }),

    async fence() {
      await store.perform("fence", { now: now() });
    },

    async close() {
      closed = true;
      for (const attempt of running.values()) attempt.cancel();
      await settledWithin(
        [...running.values()].map(({ answer }) => answer),
        CLOSE_GRACE_MS,
      );
      await store.close();
    },
  };
}

function keyText(key: RowKey): string {
  return [key.principal, key.instance, key.tool, key.requestId].join("\n");
}

async function settledWithin(answers: readonly Promise<unknown>[], graceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([Promise.allSettled(answers), grace]);
  clearTimeout(timer);
}
