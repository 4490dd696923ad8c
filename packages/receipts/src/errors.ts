/** Every code a `ReceiptsError` can carry. */
export type ReceiptsErrorCode =
  | "invalid_call"
  | "invalid_limits"
  | "not_armed"
  | "receipt_not_found"
  | "statement_failed"
  | "statements_unsupported"
  | "store_unavailable"
  | "store_not_private"
  | "store_on_network"
  | "store_damaged"
  | "store_too_new";

/** A broken promise: the caller or the store did something the contract does not allow for. */
export class ReceiptsError extends Error {
  override readonly name = "ReceiptsError";
  readonly code: ReceiptsErrorCode;

  constructor(code: ReceiptsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
