import { exactNumber } from "../protocol/exact-json.ts";
import type { Members } from "../protocol/json-rpc.ts";
import { argumentKind, type ArgumentKind } from "./argument-kind.ts";
import { nearest } from "./nearest.ts";

export type TypedText = { ok: true; value: unknown } | { ok: false; why: string };

const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Reads the text of `key=text` as the kind its schema asks for. Nothing is trimmed, split or coerced. */
export function typeText(text: string, kind: ArgumentKind, root: Members): TypedText {
  switch (kind.kind) {
    case "string":
      return { ok: true, value: text };
    case "integer":
      return INTEGER.test(text) ? number(text) : refuse("an integer", text);
    case "number":
      return NUMBER.test(text) ? number(text) : refuse("a number as JSON writes it", text);
    case "boolean":
      if (text === "true" || text === "false") return { ok: true, value: text === "true" };
      return refuse("true or false", text);
    case "array":
      return typeElement(text, kind.items, root);
    case "json":
      return { ok: false, why: `takes ${kind.label}; write it as JSON with :=` };
    case "enum":
      break;
  }
  return typeMember(text, kind.values);
}

function typeElement(text: string, items: unknown, root: Members): TypedText {
  const element = argumentKind(items, root);
  if (element.kind !== "array") return typeText(text, element, root);
  return { ok: false, why: "takes lists in a list; write the whole as JSON with :=" };
}

/** A number that a double would write in other digits keeps its own. */
function number(digits: string): TypedText {
  const value = Number(digits);
  return { ok: true, value: String(value) === digits ? value : exactNumber(digits) };
}

function typeMember(text: string, values: readonly unknown[]): TypedText {
  if (values.includes(text)) return { ok: true, value: text };
  const other = values.find((value) => typeof value !== "string" && JSON.stringify(value) === text);
  if (other !== undefined) return { ok: true, value: other };
  const names = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const near = nearest(text, names);
  const hint = near === undefined ? "" : `; did you mean "${near}"?`;
  return { ok: false, why: `takes one of ${names.slice(0, 12).join(", ")}${hint}` };
}

function refuse(expected: string, text: string): TypedText {
  return { ok: false, why: `takes ${expected}, not "${text.slice(0, 60)}"` };
}
