/** One mark for a run of forbidden code points: the first one, and how many more there were. */
export function runMark(first: number, count: number): string {
  if (count === 1) return remembered(lonelyMarks, first, (hex) => `⟦U+${hex}⟧`);
  return `⟦U+${hexName(first)} +${String(count - 1)}⟧`;
}

/** The mark of a concealed run; on its further lines a short one, so that output stays in proportion. */
export function hiddenMark(count: number, isContinuation: boolean): string {
  return isContinuation ? `⟦+${String(count)}⟧` : `⟦hidden: ${String(count)} chars⟧`;
}

/** The escape that stands for the code point in a JSON string. */
export function jsonEscape(codePoint: number): string {
  return remembered(escapes, codePoint, () => {
    const text = String.fromCodePoint(codePoint);
    return [...Array(text.length).keys()].map((at) => unitEscape(text.charCodeAt(at))).join("");
  });
}

// Only forbidden code points come here, so these hold a few thousand entries at most.
const lonelyMarks = new Map<number, string>();
const escapes = new Map<number, string>([
  [0x08, "\\b"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
]);

function remembered(
  known: Map<number, string>,
  codePoint: number,
  spell: (hex: string) => string,
): string {
  const found = known.get(codePoint);
  if (found !== undefined) return found;
  const spelt = spell(hexName(codePoint));
  known.set(codePoint, spelt);
  return spelt;
}

function hexName(codePoint: number): string {
  return codePoint.toString(16).toUpperCase().padStart(4, "0");
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
