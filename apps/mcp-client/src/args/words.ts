/** One `key=text`, `key:=json` or `key@=file` of the command line. */
export interface ArgumentWord {
  readonly key: string;
  readonly form: "text" | "json" | "file";
  readonly value: string;
}

/** Splits at the first `=`; a `:` or `@` right before it chooses the form. Undefined when it is no such word. */
export function readWord(word: string): ArgumentWord | undefined {
  const at = word.indexOf("=");
  if (at < 1) return undefined;
  const mark = word[at - 1];
  const form = mark === ":" ? "json" : mark === "@" ? "file" : "text";
  const key = word.slice(0, form === "text" ? at : at - 1);
  return key === "" ? undefined : { key, form, value: word.slice(at + 1) };
}
