import { resolveOptions, type SanitizeOptions } from "./options.ts";
import type { SanitizeReport } from "./report.ts";
import { ByteSanitizer } from "./sanitizer.ts";

/** Cleans a whole text. In a string, a lone surrogate reads as U+FFFD. */
export function sanitize(
  input: Uint8Array | string,
  options: SanitizeOptions,
): { readonly text: string; readonly report: SanitizeReport } {
  const sanitizer = new ByteSanitizer(resolveOptions(options));
  const text = sanitizer.push(bytesOf(input)) + sanitizer.end();
  return { text, report: sanitizer.report() };
}

/** @internal */
export function bytesOf(input: Uint8Array | string): Uint8Array {
  return typeof input === "string" ? new TextEncoder().encode(input) : input;
}
