// Other, separators and everything that is drawn as nothing: what a terminal or a reader could be led by.
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Writes every unsafe character of a JSON text as its \u escapes. The text must hold none outside its strings. */
export function escapeUnsafe(json: string): string {
  return json.replace(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index);
      return `\\u${unit.toString(16).padStart(4, "0")}`;
    }).join(""),
  );
}

/** A peer's words as one quoted line, cut at 120 characters. */
export function quoteLine(text: string): string {
  return escapeUnsafe(JSON.stringify(Array.from(text).slice(0, 120).join("")));
}
