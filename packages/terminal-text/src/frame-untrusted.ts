import { TerminalTextError } from "./errors.ts";
import { removedChars, type SanitizeReport } from "./report.ts";
import { safeLine } from "./safe-line.ts";

/** What a reader may know about framed text without reading it. */
export interface Provenance {
  readonly origin: string;
  readonly trust: "untrusted";
  /** The version of the rules that the text was cleaned by. */
  readonly sanitizer: 1;
  readonly removed: number;
  readonly hidden: number;
}

export interface FrameOptions {
  /** Where the text comes from, in words for the reader. */
  readonly origin: string;
  /** Gives 16 fresh lower-case hex digits, which the text cannot have known. */
  readonly newNonce: () => string;
  /** The report of the run that cleaned the text. */
  readonly report: SanitizeReport;
}

const ATTEMPTS = 8;

/**
 * Puts cleaned text between two lines that carry the same nonce, so that nothing in it can pose as its end
 * or as words of the server.
 */
export function frameUntrusted(
  text: string,
  { origin, newNonce, report }: FrameOptions,
): { readonly text: string; readonly provenance: Provenance } {
  const nonce = nonceUnknownTo(text, newNonce);
  const source = safeLine(origin);
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return {
    text:
      `⟦untrusted text ${nonce} begins, from ${source}⟧\n` +
      `${text}${end}⟦untrusted text ${nonce} ends⟧\n`,
    provenance: {
      origin: source,
      trust: "untrusted",
      sanitizer: 1,
      removed: removedChars(report),
      hidden: report.hiddenChars,
    },
  };
}

function nonceUnknownTo(text: string, newNonce: () => string): string {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const nonce = newNonce();
    if (!/^[0-9a-f]{16}$/u.test(nonce)) {
      throw new TerminalTextError("invalid_option", "newNonce must give 16 lower-case hex digits.");
    }
    if (!text.includes(nonce)) return nonce;
  }
  throw new TerminalTextError("nonce_not_fresh", "Every nonce already stands in the text.");
}
