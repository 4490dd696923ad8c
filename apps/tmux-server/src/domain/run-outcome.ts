import { markerLineEnd } from "./shell-line.ts";
import type { CapturedLine } from "./snapshot.ts";
import { sliceStyled } from "./styled-line.ts";

/** A line of a run's output, not yet cleaned. */
export type OutputLine = Pick<CapturedLine, "styled" | "prefix">;

/** What a capture shows of a run that was typed with a marker. */
export interface RunSighting {
  /** Whether the marker stands there: the command has ended. */
  readonly ended: boolean;
  /** What the shell printed as the exit code, or null. */
  readonly exitCode: number | null;
  readonly output: readonly OutputLine[];
  readonly endsWithoutNewline: boolean;
  /** Whether the typed line was still there, so that `output` is known to be all of it. */
  readonly isWhole: boolean;
}

export interface RunPlace {
  readonly marker: string;
  /** The cursor's row, where the output ends while there is no marker. */
  readonly cursorRow: number;
  /** Whether the cursor's line is output, and not a prompt. */
  readonly cursorLineCounts: boolean;
  /** Where the output begins if the typed line is gone: the row the line was typed on, or the screen's first. */
  readonly startRow: number;
  readonly screenRow: number;
}

/** Looks for a run's marker and output in captured lines, oldest first. */
export function sightRun(lines: readonly CapturedLine[], place: RunPlace): RunSighting {
  const printed = `[postern:${place.marker}:`;
  const pattern = new RegExp(`\\[postern:${place.marker}:(\\d+)\\]\\s*$`);
  const markerLine = lines.findLastIndex(({ text }) => pattern.test(text));
  const ended = markerLine >= 0;
  const end = ended ? markerLine : lines.findLastIndex(({ row }) => row <= place.cursorRow);
  const last = lines[end];
  const unfinished = last && unfinishedLength(last.text, ended ? printed : undefined, place);
  const seen = [
    ...lines.slice(0, Math.max(0, end)),
    ...(last && unfinished ? [sliceLine(last, 0, unfinished)] : []),
  ];
  const start = typedLineEnd(seen, place.marker);
  const fallbackRow = ended ? place.screenRow : place.startRow;
  const output = start
    ? [...restOf(seen[start.line], start.place), ...seen.slice(start.line + 1)]
    : seen.filter(({ row }) => row >= fallbackRow);
  const exitCode = Number(pattern.exec(last?.text ?? "")?.[1] ?? NaN);
  return {
    ended,
    exitCode: exitCode <= 255 ? exitCode : null,
    output,
    endsWithoutNewline: Boolean(unfinished) && output.length > 0,
    isWhole: start !== undefined,
  };
}

/** How much of the last line is output that no newline ended. */
function unfinishedLength(text: string, printed: string | undefined, place: RunPlace): number {
  if (printed !== undefined) return text.lastIndexOf(printed);
  return place.cursorLineCounts ? text.trimEnd().length : 0;
}

/** Where the typed line ends: the index of the captured line, which a line editor may have broken, and the place in it. */
function typedLineEnd(
  lines: readonly CapturedLine[],
  marker: string,
): { readonly line: number; readonly place: number } | undefined {
  const typed = markerLineEnd(marker);
  const at = lines
    .map(({ text }) => text)
    .join("")
    .lastIndexOf(typed);
  if (at < 0) return undefined;
  let place = at + typed.length;
  const line = lines.findIndex(({ text }) => {
    if (text.length >= place) return true;
    place -= text.length;
    return false;
  });
  return { line, place };
}

/** A line editor wraps a line that just fills its last row, and so ties what is printed next to it. */
function restOf(line: CapturedLine | undefined, place: number): readonly CapturedLine[] {
  if (line === undefined || line.text.slice(place).trim() === "") return [];
  return [sliceLine(line, place, line.text.length)];
}

function sliceLine(line: CapturedLine, from: number, to: number): CapturedLine {
  const styled = sliceStyled(line.styled, from, to);
  return { ...line, text: line.text.slice(from, to), styled };
}
