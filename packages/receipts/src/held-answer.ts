import { sentenceOf } from "./sentences.ts";
import type { ReceiptAnswer } from "./receipt.ts";
import { isPending, plainOutcome, receiptOf, type ReceiptRow } from "./receipt-row.ts";

/** How long a caller should wait before it asks again about a request in progress. */
export const RETRY_AFTER_MS = 1_000;

/** What a row that another attempt wrote answers to a call with this fingerprint, asked by this owner. */
export function answerHeld(
  row: ReceiptRow,
  fingerprint: string,
  owner: string,
  now: number,
): ReceiptAnswer {
  if (row.fingerprint !== fingerprint) return { kind: "request_conflict" };
  if (!isPending(row)) {
    return { kind: "receipt", receipt: receiptOf(row), replayed: true, stored: true };
  }
  if (row.owner === owner) {
    const receipt = receiptOf(orphaned(row, now));
    return { kind: "receipt", receipt, replayed: true, stored: false };
  }
  const state = row.state === "armed" ? "armed" : "reserved";
  return { kind: "request_in_progress", state, retryAfterMs: RETRY_AFTER_MS };
}

/** A pending row whose attempt is over without its outcome having been written. */
export function orphaned(row: ReceiptRow, now: number): ReceiptRow {
  const code = "outcome_unknown";
  return { ...row, ...plainOutcome("unknown", code, sentenceOf(code)), finishedAt: now };
}
