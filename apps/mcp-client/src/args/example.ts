import type { Members } from "../protocol/json-rpc.ts";
import { argumentKind, type ArgumentKind } from "./argument-kind.ts";

/** A word for one argument that the parser of this program accepts. */
export function exampleWord(key: string, schema: unknown, root: Members): string {
  const kind = argumentKind(schema, root);
  const text = exampleText(kind, root);
  return text === undefined ? `${key}:=${exampleJson(kind)}` : `${key}=${text}`;
}

function exampleText(kind: ArgumentKind, root: Members): string | undefined {
  switch (kind.kind) {
    case "string":
      return "text";
    case "integer":
      return "1";
    case "number":
      return "1.5";
    case "boolean":
      return "true";
    case "enum": {
      const [first] = kind.values;
      return typeof first === "string" ? first : JSON.stringify(first);
    }
    case "array": {
      const items = argumentKind(kind.items, root);
      return items.kind === "array" ? undefined : exampleText(items, root);
    }
    case "json":
      break;
  }
  return undefined;
}

function exampleJson(kind: ArgumentKind): string {
  if (kind.kind === "array") return "[]";
  const label = kind.kind === "json" ? kind.label.split(" or ")[0] : "";
  const samples: Record<string, string> = {
    object: "{}",
    null: "null",
    integer: "1",
    number: "1.5",
    boolean: "true",
    array: "[]",
  };
  return samples[label ?? ""] ?? "{}";
}
