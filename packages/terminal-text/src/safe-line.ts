import { integerWithin } from "./options.ts";
import { sanitize } from "./sanitize.ts";

const EMPTY = "(empty)";
/** Joined emoji and stacked marks are one grapheme however long; each 32 UTF-16 units of one count again. */
const UNITS_PER_CHAR = 32;

/**
 * Text for one line of a log, a title or a prompt: cleaned, LF and TAB as a space, clipped with `…` to
 * `maxChars` graphemes. Blank input becomes `(empty)`.
 */
export function safeLine(
  input: string,
  { maxChars = 120 }: { readonly maxChars?: number } = {},
): string {
  integerWithin("maxChars", maxChars, 1, 1_000);
  const cleaned = sanitize(input, { mode: "model" }).text;
  const line = cleaned.replaceAll("\n", " ").replaceAll("\t", " ");
  return line.trim() === "" ? clip(EMPTY, maxChars) : clip(line, maxChars);
}

/** Whether the text is one non-blank line that `safeLine` would leave as it is, apart from its length. */
export function isSafeLine(input: string): boolean {
  if (input.trim() === "" || input.includes("\n") || input.includes("\t")) return false;
  return sanitize(input, { mode: "model" }).text === input;
}

function clip(line: string, maxChars: number): string {
  let chars = 0;
  let beforeLast = 0;
  for (const { segment, index } of new Intl.Segmenter("en").segment(line)) {
    chars += Math.ceil(segment.length / UNITS_PER_CHAR);
    if (chars > maxChars) return `${line.slice(0, beforeLast)}…`;
    // The place where the line is cut if the ellipsis needs the last place.
    if (chars < maxChars) beforeLast = index + segment.length;
  }
  return line;
}
