import { resolveOptions, type SanitizeOptions } from "./options.ts";
import { removedChars, type SanitizeReport } from "./report.ts";
import { bytesOf } from "./sanitize.ts";
import { ByteSanitizer } from "./sanitizer.ts";

export interface SanitizedLine {
  readonly text: string;
  /** Concealed characters of this line. */
  readonly hiddenChars: number;
  /** Characters of this line that went or became marks, as `removedChars` counts them. */
  readonly removedChars: number;
}

export type SanitizeLinesOptions = Pick<SanitizeOptions, "hidden" | "maxStringBytes">;

/**
 * Cleans captured lines in `model` mode and counts for each line. Styling is followed from line to line, as
 * `tmux capture-pane -e` writes it, so text concealed lines ago is still seen as concealed. There is one
 * result per LF, and one for what follows the last LF; a CR alone shows as `^M` and splits nothing.
 */
export function sanitizeLines(
  input: Uint8Array | string,
  options: SanitizeLinesOptions = {},
): { readonly lines: readonly SanitizedLine[]; readonly report: SanitizeReport } {
  const bytes = bytesOf(input);
  const lines: SanitizedLine[] = [];
  let hiddenBefore = 0;
  let removedBefore = 0;
  const onLine = (text: string): void => {
    const report = sanitizer.report();
    const removed = removedChars(report);
    lines.push({
      text,
      hiddenChars: report.hiddenChars - hiddenBefore,
      removedChars: removed - removedBefore,
    });
    hiddenBefore = report.hiddenChars;
    removedBefore = removed;
  };
  const sanitizer = new ByteSanitizer({ ...resolveOptions({ ...options, mode: "model" }), onLine });
  sanitizer.write(bytes);
  const rest = sanitizer.end();
  if (bytes.length > 0 && bytes[bytes.length - 1] !== 0x0a) onLine(rest);
  return { lines, report: sanitizer.report() };
}
