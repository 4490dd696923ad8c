export interface AcquireRequest {
  readonly kind: "acquire";
  readonly id: number;
  readonly file: string;
  readonly timeoutMs: number;
}

export type ToLockWorker =
  | AcquireRequest
  /** Frees the lock, or gives up waiting for it. */
  | { readonly kind: "release"; readonly id: number };

export type FromLockWorker =
  | { readonly kind: "held"; readonly id: number }
  | {
      readonly kind: "failed";
      readonly id: number;
      readonly code: "lock_timeout" | "lock_unavailable";
      readonly message: string;
    };
