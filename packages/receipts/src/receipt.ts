import type { JsonObject, JsonValue } from "@postern/protocol";

/** Who asked, in which lifetime of the server, for which tool. Each part is 1 to 200 bytes without control characters. */
export interface ReceiptScope {
  /** The subject, never a token id: a new token of the same caller sees the same receipts. */
  readonly principal: string;
  /** What a restart must not confuse: a store id, a project id, or an id that dies with the process. */
  readonly instance: string;
  readonly tool: string;
}

/** `reserved` and `armed` are in flight; the other four are end states. */
export type ReceiptState = "reserved" | "armed" | "applied" | "refused" | "not_applied" | "unknown";

/** What became of one request. */
export interface Receipt {
  readonly scope: ReceiptScope;
  readonly requestId: string;
  readonly fingerprint: string;
  readonly state: ReceiptState;
  readonly code?: string;
  readonly message?: string;
  /** Details of a refusal, or the note its effect left when it was armed. */
  readonly data?: JsonObject;
  readonly result?: JsonValue;
  readonly summary?: JsonValue;
  readonly resultBytes?: number;
  readonly resultSha256?: string;
  /** The result was too large to keep, or made room for newer ones; its length, hash and summary remain. */
  readonly resultOmitted?: true;
  /** This receipt said `unknown` before its outcome was established. */
  readonly wasUnknown?: true;
  readonly established?: "late_report" | "evidence";
  /** Wall time, ISO 8601, for display only. */
  readonly createdAt: string;
  readonly armedAt?: string;
  readonly finishedAt?: string;
}

/** A statement on the caller's own tables in the same database. */
export interface SqlStatement {
  readonly sql: string;
  readonly params?: readonly (string | number | null)[];
}

/** What the effect says about itself. */
export type EffectResult =
  | {
      readonly kind: "applied";
      readonly result: JsonValue;
      /** At most 4 KiB as JSON; a larger one is not kept. */
      readonly summary?: JsonValue;
      /** Commits together with the outcome, or neither does. */
      readonly alongside?: readonly SqlStatement[];
    }
  | {
      readonly kind: "refused";
      readonly code: string;
      readonly message: string;
      readonly data?: JsonObject;
    }
  | { readonly kind: "not_applied" | "unknown"; readonly code: string; readonly message?: string };

export interface ArmOptions {
  /** Kept as the receipt's `data` from now on, unless a refusal brings its own; at most 4 KiB as JSON, a larger one is not kept. */
  readonly note?: JsonObject;
  /** Commits together with the arming, or neither does. */
  readonly alongside?: readonly SqlStatement[];
  /** Must give a row in the same transaction, else the receipt ends as `not_applied/revoked`. */
  readonly require?: SqlStatement;
}

/** What an effect holds while it runs. */
export interface EffectSteps {
  /**
   * Resolves once it is durable that the effect may happen. Start the effect in the same turn, and nothing
   * before. A rejection means: do not start; let it pass through.
   */
  arm(options?: ArmOptions): Promise<void>;
  /** Fires on the caller's cancel, on the deadline and on close, before and after arming. */
  readonly signal: AbortSignal;
}

export type Effect = (steps: EffectSteps) => Promise<EffectResult>;

export interface ReceiptCall {
  readonly scope: ReceiptScope;
  /** A UUID; compared in lower case. */
  readonly requestId: string;
  /** The validated arguments, before defaults, without requestId and `_meta`. */
  readonly args: JsonValue;
  /** How long after the call the effect may still be armed, on the monotonic clock. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** Read synchronously before and after arming; true ends the receipt as `not_applied/revoked`. */
  readonly isFenced?: () => boolean;
  /**
   * Saves the `reserved` write: the first durable row is the armed one or the refusal, so a crash before arming
   * leaves no trace and the id stays free.
   * @default false
   */
  readonly singleWrite?: boolean;
}

export type ReceiptAnswer =
  | {
      readonly kind: "receipt";
      readonly receipt: Receipt;
      readonly replayed: boolean;
      /** False: the outcome is true but could not be written; a later question is answered `unknown`. */
      readonly stored: boolean;
    }
  | {
      readonly kind: "request_in_progress";
      readonly state: "reserved" | "armed";
      readonly retryAfterMs: number;
    }
  | { readonly kind: "request_conflict" }
  | { readonly kind: "request_limit"; readonly used: number; readonly max: number }
  | { readonly kind: "request_id_too_old" | "request_id_from_future" }
  | { readonly kind: "store_unavailable"; readonly reason: string };

export interface ReceiptList {
  readonly instance: string;
  /** How many of the newest; at most 10 000. */
  readonly last: number;
}

export interface ReceiptKey {
  readonly scope: ReceiptScope;
  readonly requestId: string;
}

export interface ReceiptQuery {
  readonly principal: string;
  readonly instance: string;
  readonly requestId: string;
  readonly tool?: string;
}

export interface Capacity {
  readonly used: number;
  readonly max: number;
  readonly remaining: number;
}

export interface Receipts {
  /** Runs `effect` at most once for this scope and id, ever, and says what became of it. */
  runOnce(call: ReceiptCall, effect: Effect): Promise<ReceiptAnswer>;
  health(): StoreHealth;
  find(query: ReceiptQuery): Promise<readonly Receipt[]>;
  /** The newest receipts of an instance, of every principal, oldest first, without their results. For the person's eyes. */
  list(query: ReceiptList): Promise<readonly Receipt[]>;
  /**
   * Settles an `unknown` receipt by evidence, once. Any other receipt is returned as it is and `evidence` is not
   * asked. Throws `receipt_not_found` for an unknown key.
   */
  reconcile(
    key: ReceiptKey,
    evidence: (receipt: Receipt) => Promise<EffectResult | "undecided">,
  ): Promise<Receipt>;
  capacity(principal: string): Promise<Capacity>;
  /** After restoring a backup: refuses every time-stamped id minted until now that the store does not hold. */
  fence(): Promise<void>;
  /** Cancels what is not armed, waits up to 5 s for what is, and closes the store. */
  close(): Promise<void>;
}

export type StoreHealth = "ok" | { readonly readOnly: string };
