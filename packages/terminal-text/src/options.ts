import { TerminalTextError } from "./errors.ts";

export interface SanitizeOptions {
  /**
   * - `model`: for a language model or a file. Sequences go, controls show as `^X`, CRs before LF go, and a
   *   CR alone becomes LF.
   * - `terminal`: for a person's screen. As `model`, but a CR alone shows as `^M`.
   * - `log`: nothing is taken out; what is forbidden shows as a JSON escape such as `\u001b`.
   */
  readonly mode: "model" | "terminal" | "log";
  /**
   * Concealed text becomes `⟦hidden: n chars⟧` (further lines of one run: `⟦+n⟧`) or is dropped. It is
   * counted either way. @default "mark"
   */
  readonly hidden?: "mark" | "drop";
  /** In `terminal` mode, `colours` keeps colour, bold and underline and ends reset. @default "drop" */
  readonly sgr?: "drop" | "colours";
  /** The longest control string that is waited for (64..65536). @default 4096 */
  readonly maxStringBytes?: number;
  /** In `model` mode, one CR before LF stays. @default false */
  readonly keepCrLf?: boolean;
}

export type ResolvedOptions = Required<SanitizeOptions>;

export function resolveOptions(options: SanitizeOptions): ResolvedOptions {
  const { mode, hidden = "mark", sgr = "drop", maxStringBytes = 4096, keepCrLf = false } = options;
  oneOf("mode", mode, ["model", "terminal", "log"]);
  oneOf("hidden", hidden, ["mark", "drop"]);
  oneOf("sgr", sgr, ["drop", "colours"]);
  integerWithin("maxStringBytes", maxStringBytes, 64, 65_536);
  return { mode, hidden, sgr, maxStringBytes, keepCrLf };
}

export function integerWithin(name: string, value: number, lowest: number, highest: number): void {
  if (Number.isSafeInteger(value) && value >= lowest && value <= highest) return;
  const range = `${String(lowest)} to ${String(highest)}`;
  throw new TerminalTextError("invalid_option", `${name} must be a whole number from ${range}.`);
}

function oneOf(name: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  throw new TerminalTextError("invalid_option", `${name} must be one of ${allowed.join(", ")}.`);
}
