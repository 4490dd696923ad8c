import type { ResolvedLimits } from "./limits.ts";
import type { ArmOptions, Capacity, ReceiptList, SqlStatement, StoreHealth } from "./receipt.ts";
import type { ReceiptRow, RowKey, RowOutcome } from "./receipt-row.ts";

/** Where receipts live. Made by `memoryStore` and `openSqliteStore`; one `createReceipts` per store. */
export interface ReceiptStore {
  /** Identifies this opening of the store in the rows it writes. */
  readonly owner: string;
  /**
   * Carries out one operation atomically and, where it writes an outcome or an arming, durably. Rejects with
   * `store_unavailable` when it could not, and with `statement_failed` or `statements_unsupported` when the
   * caller's own statements did not pass.
   */
  perform<K extends OperationKind>(
    kind: K,
    request: StoreOperations[K]["request"],
  ): Promise<StoreOperations[K]["reply"]>;
  health(): StoreHealth;
  close(): Promise<void>;
}

/** Everything a store can be asked to do. */
export interface StoreOperations {
  /** Takes the key, or says who holds it. With `reserve` false it only looks. */
  readonly claim: {
    readonly request: Admission;
    readonly reply: { readonly kind: "claimed"; readonly used: number } | Held | AdmissionRefusal;
  };
  /** Makes it durable that the effect may happen; inserts the row if `claim` only looked. */
  readonly arm: {
    readonly request: Admission & Omit<ArmOptions, "note">;
    readonly reply:
      | { readonly kind: "armed" }
      | { readonly kind: "requirement_failed" }
      | Held
      | Superseded
      | AdmissionRefusal;
  };
  /** Ends the row of this attempt, or refines its `unknown` by this late report. */
  readonly finish: {
    readonly request: Admission & {
      readonly outcome: RowOutcome;
      readonly alongside?: readonly SqlStatement[];
    };
    readonly reply:
      | { readonly kind: "finished"; readonly refined: boolean }
      | Held
      | Superseded
      | AdmissionRefusal;
  };
  /** Refines an `unknown` row; any other row is returned as it is. */
  readonly settle: {
    readonly request: {
      readonly key: RowKey;
      readonly outcome: RowOutcome;
      readonly now: number;
      readonly maxStoreBytes: number;
    };
    readonly reply: { readonly row: ReceiptRow | undefined };
  };
  readonly find: {
    readonly request: Omit<RowKey, "tool"> & { readonly tool?: string };
    readonly reply: { readonly rows: readonly ReceiptRow[] };
  };
  readonly list: {
    readonly request: ReceiptList;
    readonly reply: { readonly rows: readonly ReceiptRow[] };
  };
  readonly capacity: {
    readonly request: { readonly principal: string; readonly limits: ResolvedLimits };
    readonly reply: Capacity;
  };
  readonly fence: {
    readonly request: { readonly now: number };
    readonly reply: { readonly done: true };
  };
  /** Ends the pending rows of an owner that is known to be gone. */
  readonly bury: {
    readonly request: { readonly owner: string; readonly now: number };
    readonly reply: { readonly done: true };
  };
}

export type OperationKind = keyof StoreOperations;

/** One attempt, and what is needed to let its id in. */
export interface Admission {
  /** The row as this attempt knows it: reserved, or armed by itself. */
  readonly row: ReceiptRow;
  /** Whether `claim` writes the row; if not, the first of `arm` and `finish` does. */
  readonly reserve: boolean;
  readonly limits: ResolvedLimits;
  readonly now: number;
  /** The id was minted by this process for this very call. */
  readonly justMinted: boolean;
}

export type AdmissionRefusal =
  | { readonly kind: "request_limit"; readonly used: number; readonly max: number }
  | { readonly kind: "request_id_too_old" | "request_id_from_future" };

/** The key is taken by another attempt, whose row is given. */
export interface Held {
  readonly kind: "held";
  readonly row: ReceiptRow;
}

/** The row is this attempt's but no longer pending: its owner was taken for dead. */
export interface Superseded {
  readonly kind: "superseded";
}
