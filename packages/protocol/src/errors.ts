/** Codes of the errors this package throws; refusals a caller should expect are values instead. */
export type ProtocolErrorCode =
  | "invalid_contract"
  | "invalid_option"
  | "output_stalled"
  | "output_broken"
  | "output_closed";

/** Base of everything this package throws. Test `code`, never the message. */
export class ProtocolError extends Error {
  override readonly name: string = "ProtocolError";
  readonly code: ProtocolErrorCode;

  constructor(code: ProtocolErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A tool contract that breaks the rules; thrown while its module loads, so it never ships. */
export class ContractError extends ProtocolError {
  override readonly name = "ContractError";
  /** Every rule the contract breaks, one sentence each. */
  readonly problems: readonly string[];

  constructor(tool: string, problems: readonly string[]) {
    super("invalid_contract", `The contract of tool "${tool}" is invalid: ${problems.join(" ")}`);
    this.problems = problems;
  }
}
