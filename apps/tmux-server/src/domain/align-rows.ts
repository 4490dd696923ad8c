/**
 * Says for each logical line at which row it starts. A line is the concatenation of its rows, but a row may
 * carry blanks at its end that the line lacks.
 */
export function alignRows(rows: readonly string[], lines: readonly string[]): number[] {
  const starts: number[] = [];
  let row = 0;
  for (const [index, line] of lines.entries()) {
    starts.push(Math.min(row, rows.length));
    const next = afterLine(rows, row, line);
    // At least one row per line, and at least one row left for each line that follows.
    const latest = rows.length - (lines.length - index - 1);
    row = Math.max(row + 1, Math.min(next, latest));
    row = skipErasedRows(rows, row, lines[index + 1], latest);
  }
  return starts;
}

/** The row after the last one that belongs to `line`, walking as far as the texts agree. */
function afterLine(rows: readonly string[], start: number, line: string): number {
  let place = 0;
  let row = start;
  while (row < rows.length) {
    const taken = rowLength(line, place, rows[row] ?? "");
    if (taken < 0) break;
    place += taken;
    row += 1;
    if (place >= line.length) break;
  }
  return row;
}

/** How many characters of `line` from `place` on the row stands for; -1 when it is no part of the line. */
function rowLength(line: string, place: number, row: string): number {
  if (line.startsWith(row, place)) return row.length;
  const text = row.trimEnd();
  if (!line.startsWith(text, place)) return -1;
  // Blanks the line lacks: at its end, or before a wide character that did not fit the row.
  const isLast = line.slice(place).trimEnd() === text;
  if (isLast) return line.length - place;
  return row.length - text.length <= 1 ? text.length : -1;
}

/** A wrapped line's continuation that was erased is a blank row that no line of its own stands for. */
function skipErasedRows(
  rows: readonly string[],
  from: number,
  nextLine: string | undefined,
  latest: number,
): number {
  if (nextLine === undefined || nextLine.trimEnd() === "") return from;
  let row = from;
  while (row < latest && isBlankBefore(nextLine, rows[row] ?? "")) row += 1;
  return row;
}

function isBlankBefore(line: string, row: string): boolean {
  return row === "" || (row.trimEnd() === "" && !line.startsWith(row));
}
