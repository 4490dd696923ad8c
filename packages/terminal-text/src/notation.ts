/** `^A` for a C0 control, `^?` for DEL. */
export function caretForm(control: number): string {
  return `^${String.fromCharCode(control ^ 0x40)}`;
}

/** One mark for a run of forbidden code points: the first one, and how many more there were. */
export function runMark(first: number, count: number): string {
  const hex = first.toString(16).toUpperCase().padStart(4, "0");
  return count === 1 ? `⟦U+${hex}⟧` : `⟦U+${hex} +${String(count - 1)}⟧`;
}

/** The mark of a concealed run; on its further lines a short one, so that output stays in proportion. */
export function hiddenMark(count: number, isContinuation: boolean): string {
  return isContinuation ? `⟦+${String(count)}⟧` : `⟦hidden: ${String(count)} chars⟧`;
}

const shortEscapes: ReadonlyMap<number, string> = new Map([
  [0x08, "\\b"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
]);

/** The escape that stands for the code point in a JSON string. */
export function jsonEscape(codePoint: number): string {
  const short = shortEscapes.get(codePoint);
  if (short !== undefined) return short;
  let escaped = "";
  const text = String.fromCodePoint(codePoint);
  for (let index = 0; index < text.length; index += 1) {
    escaped += `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}
