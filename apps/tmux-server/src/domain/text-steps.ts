import type { KeyName } from "./key-names.ts";

/** One step of typing, in order. */
export type WriteStep =
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "press"; readonly key: KeyName; readonly repeat: number };

/**
 * A text as its lines and the Enter after each. As one block only the newlines at its end are Enter; those
 * inside stay newlines, so that a program that asked for bracketed paste takes them as text.
 */
export function textSteps(text: string, asBlock: boolean): readonly WriteStep[] {
  if (!asBlock)
    return text.split("\n").flatMap((line, index) => [...enter(index > 0 ? 1 : 0), ...paste(line)]);
  const body = text.replace(/\n+$/, "");
  return [...paste(body), ...enter(text.length - body.length)];
}

function paste(text: string): readonly WriteStep[] {
  return text === "" ? [] : [{ kind: "paste", text }];
}

function enter(times: number): readonly WriteStep[] {
  return times === 0 ? [] : [{ kind: "press", key: "Enter" as KeyName, repeat: times }];
}
