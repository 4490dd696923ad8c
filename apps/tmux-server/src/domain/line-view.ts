import { textHash } from "./position.ts";
import { type CapturedLine, closedLines, type Snapshot } from "./snapshot.ts";

/** A snapshot as the comparison with a reading position sees it. */
export interface LineView {
  readonly width: number;
  readonly historySize: number;
  readonly historyLimit: number;
  /** Rows of history that were captured. */
  readonly depth: number;
  readonly complete: boolean;
  readonly lines: readonly CapturedLine[];
  /** How many of the lines are finished. */
  readonly closed: number;
  readonly partial: CapturedLine | undefined;
  /** The hash of a line, computed at most once. */
  hash(index: number): bigint;
  /** The hash of a line and the next as one, if the line is long enough to have wrapped. */
  joinedHash(index: number): bigint | undefined;
  /** The line that starts at a row, or `lines.length` for the row after the last. */
  lineAt(row: number): number | undefined;
  /** The row a line starts at; for `lines.length` the row after the last. */
  rowOf(index: number): number;
}

/** Prepares a snapshot's lines for comparison. */
export function viewLines(snapshot: Snapshot): LineView {
  const { facts, lines, firstRow, complete } = snapshot;
  const { count, partial } = closedLines(snapshot);
  const hashes: (bigint | undefined)[] = [];
  const rowOf = (index: number): number => {
    const last = lines.at(-1);
    return lines[index]?.row ?? (last === undefined ? firstRow : last.row + last.rowCount);
  };
  return {
    width: facts.width,
    historySize: facts.historySize,
    historyLimit: facts.historyLimit,
    depth: facts.historySize - firstRow,
    complete,
    lines,
    closed: count,
    partial,
    hash: (index) => (hashes[index] ??= textHash(lines[index]?.text ?? "")),
    rowOf,
    joinedHash(index) {
      const [text, next] = [lines[index]?.text, lines[index + 1]?.text];
      if (text === undefined || next === undefined) return undefined;
      // A wide character takes two columns.
      return 2 * text.length >= facts.width ? textHash(text + next) : undefined;
    },
    lineAt(row) {
      const index = firstAtOrAfter(lines, row);
      return rowOf(index) === row ? index : undefined;
    },
  };
}

/** The first line that starts at `row` or below; `lines.length` when none does. */
export function firstAtOrAfter(lines: readonly CapturedLine[], row: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.row ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
