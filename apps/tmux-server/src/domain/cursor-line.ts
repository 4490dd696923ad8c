import { splitRow } from "./cell-width.ts";
import type { Snapshot } from "./snapshot.ts";
import { sliceStyled } from "./styled-line.ts";

/** The text around a pane's cursor. */
export interface CursorLine {
  /** On the cursor's row, left of the cursor. */
  readonly left: string;
  /** In the cursor's line, right of the cursor, without the dim text of suggestions. */
  readonly right: string;
}

/** Finds the text around the cursor in what a look at the pane showed. */
export function cursorLine({ rows, firstRow, lines, facts }: CursorLook): CursorLine {
  const cursorRow = facts.historySize + facts.cursorY;
  const { left, right } = splitRow(rows[cursorRow - firstRow] ?? "", facts.cursorX);
  const line = lines.findLast((candidate) => candidate.row <= cursorRow);
  if (line === undefined) return { left, right };
  const before = rows.slice(line.row - firstRow, cursorRow - firstRow).join("").length;
  const styled = sliceStyled(line.styled, before + left.length, line.text.length);
  return { left, right: withoutDim(line.prefix + styled) };
}

type CursorLook = Pick<Snapshot, "rows" | "firstRow" | "lines"> & {
  readonly facts: Pick<Snapshot["facts"], "historySize" | "cursorX" | "cursorY">;
};

/** Suggestions are drawn faint, in bright black, or in a grey of the 256 colours. */
function withoutDim(styled: string): string {
  let isFaint = false;
  let isGrey = false;
  let kept = "";
  for (const part of styled.split(
    /(\u001b\[[\d;:]*m|[\u000e\u000f]|\u001b\]8;[^\u001b]*\u001b\\)/,
  )) {
    const parameters = /^\u001b\[([\d;:]*)m$/.exec(part)?.[1];
    if (parameters === undefined) {
      if (!isFaint && !isGrey && !/^[\u000e\u000f\u001b]/.test(part)) kept += part;
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
