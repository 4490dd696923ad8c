import { splitRow } from "./cell-width.ts";
import type { Snapshot } from "./snapshot.ts";
import { sliceStyled } from "./styled-line.ts";

/** The text around a pane's cursor. */
export interface CursorLine {
  /** In the cursor's line, left of the cursor, over all rows that the line is wrapped on. */
  readonly left: string;
  /** In the cursor's line, right of the cursor; the dim text of suggestions counts as blanks. */
  readonly right: string;
}

/** Finds the text around the cursor in what a look at the pane showed. */
export function cursorLine({ rows, firstRow, lines, facts }: CursorLook): CursorLine {
  const cursorRow = facts.historySize + facts.cursorY;
  const { left, right } = splitRow(rows[cursorRow - firstRow] ?? "", facts.cursorX);
  const line = lines.findLast((candidate) => candidate.row <= cursorRow);
  if (line === undefined || cursorRow >= line.row + line.rowCount) return { left, right };
  const before = rows.slice(line.row - firstRow, cursorRow - firstRow).join("");
  const styled = sliceStyled(line.styled, before.length + left.length, line.text.length);
  return { left: before + left, right: withDimBlank(line.prefix + styled) };
}

type CursorLook = Pick<Snapshot, "rows" | "firstRow" | "lines"> & {
  readonly facts: Pick<Snapshot["facts"], "historySize" | "cursorX" | "cursorY">;
};

/** Suggestions are drawn faint, in bright black, or in a grey of the 256 colours. */
function withDimBlank(styled: string): string {
  let isFaint = false;
  let isGrey = false;
  let kept = "";
  for (const part of styled.split(
    /(\u001b\[[\d;:]*m|[\u000e\u000f]|\u001b\]8;[^\u001b]*\u001b\\)/,
  )) {
    const parameters = /^\u001b\[([\d;:]*)m$/.exec(part)?.[1];
    if (parameters === undefined) {
      if (/^[\u000e\u000f\u001b]/.test(part)) continue;
      kept += isFaint || isGrey ? " ".repeat(part.length) : part;
      continue;
    }
    if (/^0?(?:;|$)/.test(parameters)) isFaint = isGrey = false;
    if (/(?:^|;)2(?:;|$)/.test(parameters) && !/[34]8[;:]/.test(parameters)) isFaint = true;
    if (/(?:^|;)22(?:;|$)/.test(parameters)) isFaint = false;
    if (/^(?:3[0-79]|9[1-7]|38)/.test(parameters)) isGrey = false;
    if (/(?:^|;)(?:90|38[;:]5[;:](?:8|23[2-9]|24\d|25[0-5]))(?:;|$)/.test(parameters))
      isGrey = true;
  }
  return kept;
}
