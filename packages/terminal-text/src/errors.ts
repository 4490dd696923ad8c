export type TerminalTextErrorCode = "invalid_option" | "already_ended" | "nonce_not_fresh";

/** A call that breaks the contract of this package. Input never causes one. */
export class TerminalTextError extends Error {
  override readonly name = "TerminalTextError";
  readonly code: TerminalTextErrorCode;

  constructor(code: TerminalTextErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
