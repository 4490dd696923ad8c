import type { JsonObject, JsonValue } from "@postern/protocol";
import type { Receipt, ReceiptState } from "./receipt.ts";

/** The identity of a receipt. `requestId` is in lower case. */
export interface RowKey {
  readonly principal: string;
  readonly instance: string;
  readonly tool: string;
  readonly requestId: string;
}

/** What an attempt ended with, as it is stored. JSON values are kept as the text they were first written as. */
export interface RowOutcome {
  readonly state: Exclude<ReceiptState, "reserved" | "armed">;
  readonly code: string | null;
  readonly message: string | null;
  readonly data: string | null;
  readonly result: string | null;
  readonly summary: string | null;
  readonly resultBytes: number | null;
  readonly resultSha256: string | null;
  readonly resultOmitted: boolean;
}

/** One receipt as a store keeps it. Times are Unix milliseconds of the wall clock. */
export interface ReceiptRow extends RowKey, Omit<RowOutcome, "state"> {
  readonly fingerprint: string;
  readonly state: ReceiptState;
  /** Which run of `runOnce` this is; only that run may complete the row. */
  readonly attempt: string;
  /** Which process (more exactly: which open store) runs it. */
  readonly owner: string;
  readonly wasUnknown: boolean;
  readonly established: "late_report" | "evidence" | null;
  readonly createdAt: number;
  readonly armedAt: number | null;
  readonly finishedAt: number | null;
}

const noOutcome: Omit<RowOutcome, "state"> = {
  code: null,
  message: null,
  data: null,
  result: null,
  summary: null,
  resultBytes: null,
  resultSha256: null,
  resultOmitted: false,
};

export function newRow(
  key: RowKey,
  run: Pick<ReceiptRow, "fingerprint" | "attempt" | "owner" | "createdAt">,
): ReceiptRow {
  return {
    ...key,
    ...run,
    ...noOutcome,
    state: "reserved",
    wasUnknown: false,
    established: null,
    armedAt: null,
    finishedAt: null,
  };
}

/** A row with its outcome; what was noted at arming stays, unless the outcome has details of its own. */
export function withOutcome(row: ReceiptRow, outcome: RowOutcome): ReceiptRow {
  return { ...row, ...outcome, data: outcome.data ?? row.data };
}

export function isPending(row: ReceiptRow): boolean {
  return row.finishedAt === null;
}

/** An outcome without a result. */
export function plainOutcome(
  state: "refused" | "not_applied" | "unknown",
  code: string,
  message: string | null,
  data: string | null = null,
): RowOutcome {
  return { ...noOutcome, state, code, message, data };
}

/**
 * The receipt a row stands for. The first answer and every replay come from here, so they cannot differ;
 * `wholeResult` is the text of a result that was too large to keep, for the first answer alone.
 */
export function receiptOf(row: ReceiptRow, wholeResult: string | null = null): Receipt {
  const result = wholeResult ?? row.result;
  return {
    scope: { principal: row.principal, instance: row.instance, tool: row.tool },
    requestId: row.requestId,
    fingerprint: row.fingerprint,
    state: row.state,
    ...(row.code !== null && { code: row.code }),
    ...(row.message !== null && { message: row.message }),
    ...(row.data !== null && { data: JSON.parse(row.data) as JsonObject }),
    ...(result !== null && { result: JSON.parse(result) as JsonValue }),
    ...(row.summary !== null && { summary: JSON.parse(row.summary) as JsonValue }),
    ...(row.resultBytes !== null && { resultBytes: row.resultBytes }),
    ...(row.resultSha256 !== null && { resultSha256: row.resultSha256 }),
    ...(row.resultOmitted && wholeResult === null && { resultOmitted: true as const }),
    ...(row.wasUnknown && { wasUnknown: true as const }),
    ...(row.established !== null && { established: row.established }),
    createdAt: isoTime(row.createdAt),
    ...(row.armedAt !== null && { armedAt: isoTime(row.armedAt) }),
    ...(row.finishedAt !== null && { finishedAt: isoTime(row.finishedAt) }),
  };
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
