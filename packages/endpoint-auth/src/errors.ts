/** Every code an `EndpointAuthError` can carry. */
export type EndpointAuthErrorCode =
  | "settings_damaged"
  | "settings_foreign"
  | "settings_too_new"
  | "settings_too_large"
  | "settings_not_private"
  | "settings_closed"
  | "key_unavailable"
  | "lock_timeout"
  | "lock_unavailable"
  | "address_not_canonical"
  | "redirect_timeout"
  | "redirect_refused"
  | "redirect_closed";

/** A broken promise of this package's parts. Test `code`, never the message; neither holds a secret. */
export class EndpointAuthError extends Error {
  override readonly name = "EndpointAuthError";
  readonly code: EndpointAuthErrorCode;

  constructor(code: EndpointAuthErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
