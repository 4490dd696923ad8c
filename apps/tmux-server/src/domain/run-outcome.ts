import { markerLineEnd } from "./shell-line.ts";
import type { CapturedLine } from "./snapshot.ts";
import { sliceStyled } from "./styled-line.ts";

/** A line of a run's output, not yet cleaned. */
export type OutputLine = Pick<CapturedLine, "text" | "styled" | "prefix">;

/** What a capture shows of a run that was typed with a marker. */
export type RunSighting =
  | { readonly kind: "running" }
  | {
      readonly kind: "ended";
      /** What the shell printed, or null if that is no exit code. */
      readonly exitCode: number | null;
      readonly output: readonly OutputLine[];
      readonly endsWithoutNewline: boolean;
      /** Whether the typed line was still there, so that `output` is known to be all of it. */
      readonly isWhole: boolean;
    };

/**
 * Looks for the marker in captured lines, oldest first. If the typed line is gone, the output begins at the
 * row `fallbackRow`.
 */
export function sightRun(
  lines: readonly CapturedLine[],
  marker: string,
  fallbackRow: number,
): RunSighting {
  const printed = `[postern:${marker}:`;
  const end = lines.findLastIndex(({ text }) => text.includes(printed));
  const last = lines[end];
  const code = new RegExp(`\\[postern:${marker}:(\\d+)\\]\\s*$`).exec(last?.text ?? "")?.[1];
  if (last === undefined || code === undefined) return { kind: "running" };
  const before = lines.slice(0, end);
  const start = typedLineEnd(before, marker);
  const unfinished = last.text.lastIndexOf(printed);
  const output: OutputLine[] =
    start === undefined ? before.filter(({ row }) => row >= fallbackRow) : before.slice(start + 1);
  if (unfinished > 0) {
    const styled = sliceStyled(last.styled, 0, unfinished);
    output.push({ text: last.text.slice(0, unfinished), styled, prefix: last.prefix });
  }
  return {
    kind: "ended",
    exitCode: Number(code) <= 255 ? Number(code) : null,
    output,
    endsWithoutNewline: unfinished > 0,
    isWhole: start !== undefined,
  };
}

/** The index of the line on which the typed line ends; a line editor may have broken it anywhere. */
function typedLineEnd(lines: readonly CapturedLine[], marker: string): number | undefined {
  const typed = markerLineEnd(marker);
  const at = lines
    .map(({ text }) => text)
    .join("")
    .lastIndexOf(typed);
  if (at < 0) return undefined;
  let length = 0;
  return lines.findIndex(({ text }) => (length += text.length) >= at + typed.length);
}

export interface OutputLimits {
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** The newest lines that fit both limits, and how many older ones were left out. */
export function newestLines(
  lines: readonly string[],
  { maxLines, maxBytes }: OutputLimits,
): { readonly kept: readonly string[]; readonly skipped: number } {
  let bytes = 0;
  let first = lines.length;
  while (first > 0 && lines.length - first < maxLines) {
    bytes += new TextEncoder().encode(lines[first - 1]).length + 1;
    if (bytes > maxBytes) break;
    first -= 1;
  }
  return { kept: lines.slice(first), skipped: first };
}
