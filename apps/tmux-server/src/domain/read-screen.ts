import { type ReadingPosition, textHash } from "./position.ts";
import type { ReadOrder, ReadResult } from "./read-pane.ts";
import { type ShownLine, showLine } from "./shown-line.ts";
import type { CapturedLine, Snapshot } from "./snapshot.ts";
import { sliceStyled } from "./styled-line.ts";

/**
 * Reads the rows of a full-screen program, if they changed since the last read of them. The shell's lines are
 * covered meanwhile, so their position stays.
 */
export function readScreen(
  snapshot: Snapshot,
  position: ReadingPosition | undefined,
  order: ReadOrder,
): ReadResult {
  const rows = screenRows(snapshot);
  const screen = textHash(rows.map(({ styled }) => styled).join("\n"));
  const wanted = !order.full && position?.screen === screen ? [] : rows;
  const newLines: ShownLine[] = [];
  let bytes = 0;
  for (const row of wanted.slice(0, order.maxLines)) {
    const shown = showLine(row, order.maxBytes);
    if (newLines.length > 0 && bytes + shown.bytes > order.maxBytes) break;
    bytes += shown.bytes;
    newLines.push(shown);
  }
  return {
    kind: "read",
    reading: {
      newLines,
      totalLines: (position?.lines?.nextNumber ?? 1) - 1,
      partial: undefined,
      firstLine: undefined,
      linesMissed: undefined,
      linesRemaining: 0,
      linesSkipped: wanted.length - newLines.length,
      anchor: "screen",
      rewritten: [],
      rewrittenLeftOut: false,
    },
    position: { lines: position?.lines, screen },
  };
}

/** The screen's rows down to the last with text, each with the colours it is drawn in. */
function screenRows({
  facts,
  lines,
  rows,
  firstRow,
}: Snapshot): Pick<CapturedLine, "styled" | "prefix">[] {
  const top = facts.historySize;
  const screen: Pick<CapturedLine, "styled" | "prefix">[] = [];
  for (const line of lines) {
    let place = 0;
    for (let row = line.row; row < line.row + line.rowCount; row += 1) {
      const isLast = row === line.row + line.rowCount - 1;
      const end = isLast ? line.text.length : place + (rows[row - firstRow] ?? "").length;
      if (row >= top) screen.push({ prefix: line.prefix, styled: rowOf(line, place, end) });
      place = Math.min(end, line.text.length);
    }
  }
  while (screen.length > 0 && isBlank(screen.at(-1))) screen.pop();
  return screen;
}

function rowOf(line: CapturedLine, from: number, to: number): string {
  return line.rowCount === 1 ? line.styled : sliceStyled(line.styled, from, to);
}

function isBlank(row: Pick<CapturedLine, "styled"> | undefined): boolean {
  return row !== undefined && /^(?:\s|\u001b\[[\d;:]*m|[\u000e\u000f])*$/.test(row.styled);
}
