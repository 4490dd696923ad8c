const noColumn = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const twoColumns =
  /^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;

/**
 * The part of a terminal row left and right of a column. Widths are the usual ones of Unicode; tmux may
 * differ for rare characters, so callers treat a surprising split as "no prompt seen".
 */
export function splitRow(row: string, column: number): { left: string; right: string } {
  let columns = 0;
  let end = 0;
  for (const character of row) {
    if (columns >= column && !noColumn.test(character)) break;
    columns += cellWidth(character);
    end += character.length;
  }
  return {
    left: row.slice(0, end) + " ".repeat(Math.max(0, column - columns)),
    right: row.slice(end),
  };
}

function cellWidth(character: string): number {
  if (noColumn.test(character)) return 0;
  return twoColumns.test(character) ? 2 : 1;
}
