import { alignRows } from "./align-rows.ts";
import { ListReader } from "./list-reader.ts";
import { type PaneFacts, readPaneFacts } from "./pane-facts.ts";
import { type PaneRow, readPaneRows } from "./pane-list.ts";
import { plainText, Rendition } from "./styled-line.ts";

/** One logical line of a pane, however many rows it takes. */
export interface CapturedLine {
  /** The text alone. */
  readonly text: string;
  /** The text with tmux's sequences for colours and attributes. */
  readonly styled: string;
  /** The sequences that carry over from the lines above. */
  readonly prefix: string;
  /** Its first row, counted from the oldest row tmux keeps. */
  readonly row: number;
  readonly rowCount: number;
}

/** What one look at a pane showed: a list of all panes, the pane's facts and its text, of the same moment. */
export interface Snapshot {
  readonly list: readonly PaneRow[];
  readonly facts: PaneFacts;
  /** The rows of the captured part, without colours. */
  readonly rows: readonly string[];
  /** The row `rows[0]` is, counted from the oldest row tmux keeps. */
  readonly firstRow: number;
  /** The whole lines of the captured part, oldest first, blank ones below the cursor included. */
  readonly lines: readonly CapturedLine[];
  /** Nothing tmux keeps lies above the captured part. */
  readonly complete: boolean;
}

/** Reads the answer to a snapshot that asked for `depth` rows of history. @throws MalformedListError */
export function parseSnapshot(stdout: Buffer, depth: number): Snapshot {
  const reader = new ListReader(stdout);
  const list = readPaneRows(reader);
  const facts = readPaneFacts(reader);
  const captured = Math.min(depth, facts.historySize);
  const rows = reader.lines(captured + facts.height);
  const styledLines = reader.remainingLines();
  const firstRow = facts.historySize - captured;
  const complete = firstRow === 0;
  const lines = capturedLines(rows, styledLines, firstRow);
  // A capture that starts below the top may cut its first line in two; such a line is not looked at.
  return { list, facts, rows, firstRow, complete, lines: complete ? lines : lines.slice(1) };
}

function capturedLines(
  rows: readonly string[],
  styledLines: readonly string[],
  firstRow: number,
): CapturedLine[] {
  const texts = styledLines.map(plainText);
  const starts = alignRows(rows, texts);
  const rendition = new Rendition();
  return styledLines.map((styled, index) => {
    const start = starts[index] ?? rows.length;
    const end = starts[index + 1] ?? rows.length;
    const { prefix } = rendition;
    rendition.pass(styled);
    return {
      text: texts[index] ?? "",
      styled,
      prefix,
      row: firstRow + start,
      rowCount: Math.max(1, end - start),
    };
  });
}

/** The lines that are finished, and the one that is not. */
export interface ClosedLines {
  /** How many of the captured lines are finished. */
  readonly count: number;
  /** The unfinished line at the cursor, if there is text in it. */
  readonly partial: CapturedLine | undefined;
}

/**
 * Every line above the cursor's is finished. Where text stands below the cursor's line, a program draws on the
 * whole screen: then all lines down to the last with text are its lines, and none is unfinished.
 */
export function closedLines({ lines, facts }: Pick<Snapshot, "lines" | "facts">): ClosedLines {
  const cursorRow = facts.historySize + facts.cursorY;
  const cursorLine = lines.findLastIndex((line) => line.row <= cursorRow);
  const lastText = lines.findLastIndex((line) => line.text.trimEnd() !== "");
  if (lastText > cursorLine) return { count: lastText + 1, partial: undefined };
  const count = Math.max(0, cursorLine);
  return { count, partial: lastText === cursorLine ? lines[cursorLine] : undefined };
}
