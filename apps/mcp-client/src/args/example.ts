import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { resolveReference } from "../protocol/tool.ts";
import { argumentKind } from "./argument-kind.ts";
import { typeProblem } from "./type-check.ts";
import { typeText } from "./typed-text.ts";

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: "text",
  integer: 1,
  number: 1.5,
  boolean: true,
  object: {},
  array: [],
  null: null,
};

/** A word for one argument that the parser of this program accepts. */
export function exampleWord(key: string, schema: unknown, root: Members): string {
  const kind = argumentKind(schema, root);
  const element = kind.kind === "array" ? kind.items : schema;
  const text = kind.kind === "json" ? undefined : exampleText(element, root);
  if (text !== undefined) return `${key}=${text}`;
  const [value = {}] = samples(schema, root).filter(
    (sample) => typeProblem(sample, schema, root) === undefined,
  );
  return `${key}:=${JSON.stringify(value)}`;
}

function exampleText(schema: unknown, root: Members): string | undefined {
  const kind = argumentKind(schema, root);
  if (kind.kind === "array") return undefined;
  for (const sample of samples(schema, root)) {
    const text = typeof sample === "string" ? sample : JSON.stringify(sample);
    const typed = typeText(text, kind, root);
    if (typed.ok && typeProblem(typed.value, schema, root) === undefined) return text;
  }
  return undefined;
}

/** Values worth trying, one for each way a schema can be met. */
function samples(schema: unknown, root: Members, depth = 0): unknown[] {
  const resolved = isMembers(schema) ? resolveReference(schema, root) : undefined;
  if (resolved?.kind !== "resolved" || depth > 8) return ["text"];
  const { type, enum: values, const: constant, anyOf, oneOf, allOf } = resolved.schema;
  if (Array.isArray(values)) return values;
  if (constant !== undefined) return [constant];
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0) return types.map((name) => SAMPLES[String(name)]);
  const branches = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return branches.length === 0
    ? ["text"]
    : branches.flatMap((branch) => samples(branch, root, depth + 1));
}
