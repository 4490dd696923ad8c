import type { CapturedLine } from "./snapshot.ts";
import { sliceStyled } from "./styled-line.ts";

/** A line of a run's output, not yet cleaned. */
export type OutputLine = Pick<CapturedLine, "styled" | "prefix">;

/** How a run is recognised on the screen. */
export type RunMark =
  /** The shell prints the marker when the command has ended; the typed line ends with `typedEnd`. */
  | { readonly method: "marker"; readonly marker: string; readonly typedEnd: string }
  /** The command was typed as it is, in these lines. */
  | { readonly method: "prompt"; readonly typed: readonly string[] };

/** What a capture shows of a run. */
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
  /** The cursor's row, where the output ends while there is no marker. */
  readonly cursorRow: number;
  /** Whether the cursor's line is output, and not a prompt. */
  readonly cursorLineCounts: boolean;
  /** Where the output begins if the typed line is gone: the row the line was typed on, if that can be known, or the screen's first. */
  readonly startRow: number | undefined;
  readonly screenRow: number;
}

/** Looks for a run's end and output in captured lines, oldest first. */
export function sightRun(
  lines: readonly CapturedLine[],
  mark: RunMark,
  place: RunPlace,
): RunSighting {
  const printed = mark.method === "marker" ? `[postern:${mark.marker}:` : undefined;
  const codes = lines.map(({ text }) => printedCode(text, printed));
  const markerLine = codes.findLastIndex((code) => code !== undefined);
  const ended = markerLine >= 0;
  const end = ended ? markerLine : lines.findLastIndex(({ row }) => row <= place.cursorRow);
  const last = lines[end];
  const unfinished = last && unfinishedLength(last.text, ended ? printed : undefined, place);
  const seen = [
    ...lines.slice(0, Math.max(0, end)),
    ...(last && unfinished ? [sliceLine(last, 0, unfinished)] : []),
  ];
  const start =
    mark.method === "marker" ? lastEnd(seen, mark.typedEnd) : typedEnd(seen, mark, place);
  const fallbackRow = ended ? place.screenRow : (place.startRow ?? 0);
  const output = start
    ? [...restOf(seen[start.line], start.place), ...seen.slice(start.line + 1)]
    : seen.filter(({ row }) => row >= fallbackRow);
  return {
    ended,
    exitCode: codes[markerLine] ?? null,
    output,
    endsWithoutNewline: Boolean(unfinished) && output.length > 0,
    isWhole: start !== undefined,
  };
}

/** The exit code behind a marker at the end of a line: `null` for one that is none. */
function printedCode(text: string, printed: string | undefined): number | null | undefined {
  const at = printed === undefined ? -1 : text.lastIndexOf(printed);
  const digits = /^(\d+)\]\s*$/.exec(text.slice(at + (printed?.length ?? 0)))?.[1];
  if (at < 0 || digits === undefined) return undefined;
  return Number(digits) <= 255 ? Number(digits) : null;
}

/** How much of the last line is output that no newline ended. */
function unfinishedLength(text: string, printed: string | undefined, place: RunPlace): number {
  if (printed !== undefined) return text.lastIndexOf(printed);
  return place.cursorLineCounts ? text.trimEnd().length : 0;
}

/** A place in captured lines: an index, and how far into that line. */
interface LinePlace {
  readonly line: number;
  readonly place: number;
}

/** Where the text last stands, and ends; a line editor may have broken it into several captured lines. */
function lastEnd(lines: readonly CapturedLine[], text: string): LinePlace | undefined {
  const at = joined(lines).lastIndexOf(text);
  return at < 0 ? undefined : placeAt(lines, at + text.length);
}

/** Where the last of the typed lines ends, each looked for behind the one before. */
function typedEnd(
  lines: readonly CapturedLine[],
  { typed }: Extract<RunMark, { method: "prompt" }>,
  { startRow }: RunPlace,
): LinePlace | undefined {
  const text = joined(lines);
  const above = lines.filter(({ row, rowCount }) => row + rowCount <= (startRow ?? 0));
  // Where rows were dropped only the newest place that fits is worth a try.
  let end = startRow === undefined ? text.lastIndexOf(typed[0] ?? "") : joined(above).length;
  for (const line of typed) {
    const at = text.indexOf(line, end);
    if (at < 0) return undefined;
    end = at + line.length;
  }
  const found = placeAt(lines, end);
  // Behind an empty line stands only the prompt that asked for it.
  const empty = typed.length - 1 - typed.findLastIndex((line) => line !== "");
  return empty === 0 ? found : { line: found.line + empty, place: Infinity };
}

function joined(lines: readonly CapturedLine[]): string {
  return lines.map(({ text }) => text).join("");
}

function placeAt(lines: readonly CapturedLine[], offset: number): LinePlace {
  let place = offset;
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
