import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { resolveReference } from "../protocol/tool.ts";

/** How the text of one argument is read. `json` takes the `:=` form only. */
export type ArgumentKind =
  | { kind: "string" | "integer" | "number" | "boolean" }
  | { kind: "array"; items: unknown }
  | { kind: "json"; label: string }
  | { kind: "enum"; values: readonly unknown[] };

const SIMPLE = new Set(["string", "integer", "number", "boolean"]);

/** Reads from a property's schema which kind of text it takes. Local references are followed, none is fetched. */
export function argumentKind(schema: unknown, root: Members, depth = 0): ArgumentKind {
  if (!isMembers(schema)) return { kind: "string" };
  const resolved = resolveReference(schema, root);
  if (resolved.kind === "unresolved" || depth > 16) return { kind: "json", label: "any" };
  const { type, enum: values, const: constant, items, anyOf, oneOf, allOf } = resolved.schema;
  if (Array.isArray(values)) return { kind: "enum", values };
  if (constant !== undefined) return { kind: "enum", values: [constant] };
  if (Array.isArray(type)) return union(type.map((name) => ofType(name, items)));
  if (typeof type === "string") return ofType(type, items);
  const inner = (list: unknown): ArgumentKind[] =>
    Array.isArray(list) ? list.map((branch) => argumentKind(branch, root, depth + 1)) : [];
  const alternatives = [...inner(anyOf), ...inner(oneOf)];
  if (alternatives.length > 0) return union(alternatives);
  // Of parts that all hold, one that says a type decides; the others only narrow it.
  return inner(allOf).find(({ kind }) => kind !== "string") ?? { kind: "string" };
}

/** The kind in words, for people. */
export function kindLabel(kind: ArgumentKind, root: Members): string {
  switch (kind.kind) {
    case "array":
      return `list of ${kindLabel(argumentKind(kind.items, root), root)}`;
    case "json":
      return kind.label;
    case "enum":
      return "one of";
    case "string":
    case "integer":
    case "number":
    case "boolean":
      break;
  }
  return kind.kind;
}

function ofType(type: unknown, items: unknown): ArgumentKind {
  if (type === "array") return { kind: "array", items };
  if (typeof type === "string" && SIMPLE.has(type)) {
    return { kind: type as "string" | "integer" | "number" | "boolean" };
  }
  return { kind: "json", label: String(type) };
}

/** With a string among them every text is a string; else only JSON says which one is meant. */
function union(kinds: readonly ArgumentKind[]): ArgumentKind {
  const [only, ...others] = kinds;
  if (only && others.length === 0) return only;
  if (kinds.some(takesText)) return { kind: "string" };
  const labels = kinds.map((kind) => (kind.kind === "json" ? kind.label : kind.kind));
  return { kind: "json", label: [...new Set(labels)].join(" or ") };
}

function takesText(kind: ArgumentKind): boolean {
  if (kind.kind === "enum") return kind.values.some((value) => typeof value === "string");
  return kind.kind === "string";
}
