/** What this package throws: promises that cannot be kept, never the outcome of a run. */
export type ExecSandboxErrorCode =
  | "unsupported_platform"
  | "invalid_environment"
  | "invalid_directory";

/** Thrown for a misuse of this package or a platform it does not run on; test `code`, not the message. */
export class ExecSandboxError extends Error {
  override readonly name = "ExecSandboxError";
  readonly code: ExecSandboxErrorCode;

  constructor(code: ExecSandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
