import { exactDigits, stringifyExact } from "../protocol/exact-json.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { resolveReference } from "../protocol/tool.ts";

const MAX_DEPTH = 16;

/**
 * What is wrong with the type of a value, if anything, as the end of a sentence that begins with its name. Only `type`, `enum`, `const`, `items`, `properties` and
 * the unions are looked at: pattern, length and format are the server's business.
 */
export function typeProblem(
  value: unknown,
  schema: unknown,
  root: Members,
  depth = 0,
): string | undefined {
  if (!isMembers(schema) || depth > MAX_DEPTH) return undefined;
  const resolved = resolveReference(schema, root);
  if (resolved.kind === "unresolved") return undefined;
  const { type, enum: values, const: constant, anyOf, oneOf } = resolved.schema;
  const allowed = Array.isArray(values) ? values : constant === undefined ? undefined : [constant];
  if (allowed && !allowed.some((member) => stringifyExact(member) === stringifyExact(value))) {
    return ` is none of ${allowed.slice(0, 12).map(stringifyExact).join(", ")}`;
  }
  const types = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined;
  if (types && !types.some((name) => hasType(value, String(name)))) {
    return ` is ${typeName(value)}, not ${types.join(" or ")}`;
  }
  for (const branches of [anyOf, oneOf]) {
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const problems = branches.map((branch) => typeProblem(value, branch, root, depth + 1));
    if (problems.every((problem) => problem !== undefined)) {
      return problems[0];
    }
  }
  const { allOf } = resolved.schema;
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const problem = typeProblem(value, part, root, depth + 1);
    if (problem !== undefined) return problem;
  }
  return membersProblem(value, resolved.schema, root, depth);
}

function membersProblem(
  value: unknown,
  { items, properties }: Members,
  root: Members,
  depth: number,
): string | undefined {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const problem = typeProblem(element, items, root, depth + 1);
      if (problem !== undefined) return `[${String(index)}]${problem}`;
    }
    return undefined;
  }
  if (!isMembers(value) || exactDigits(value) !== undefined) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const schema = isMembers(properties) && Object.hasOwn(properties, key) && properties[key];
    const problem = typeProblem(member, schema, root, depth + 1);
    if (problem !== undefined) return `.${key}${problem}`;
  }
  return undefined;
}

function hasType(value: unknown, type: string): boolean {
  const name = typeName(value);
  return name === type || (type === "number" && name === "integer");
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const digits = exactDigits(value);
  if (digits !== undefined || typeof value === "number" || typeof value === "bigint") {
    return Number.isInteger(Number(digits ?? value)) ? "integer" : "number";
  }
  return typeof value;
}
