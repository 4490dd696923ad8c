/** What the rules need to see of a zod schema; read structurally, so that this module loads no zod. */
interface SchemaNode {
  readonly _zod: { readonly def: SchemaDef };
  readonly description?: string | undefined;
}

interface SchemaDef {
  readonly type: string;
  readonly format?: string;
  readonly coerce?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check?: string } } }[];
  readonly shape?: Readonly<Record<string, SchemaNode>>;
  readonly catchall?: SchemaNode;
  readonly element?: SchemaNode;
  readonly innerType?: SchemaNode;
  readonly options?: readonly SchemaNode[];
  readonly items?: readonly SchemaNode[];
  readonly rest?: SchemaNode | null;
  readonly left?: SchemaNode;
  readonly right?: SchemaNode;
  readonly keyType?: SchemaNode;
  readonly valueType?: SchemaNode;
  readonly getter?: () => SchemaNode;
}

type Side = "input" | "output";

/**
 * Every way in which a contract's schema leaves something open: an undescribed field, an unbounded number,
 * an uncapped string or array, an object that lets unknown keys pass, anything that coerces.
 */
export function schemaProblems(root: unknown, side: Side): readonly string[] {
  if (!isSchema(root) || root._zod.def.type !== "object")
    return [`${side}: must be a z.strictObject.`];
  return [...walk(root, side, { side, seen: new Set() })];
}

interface Walk {
  readonly side: Side;
  /** Recursive schemas are entered once. */
  readonly seen: Set<SchemaNode>;
}

function* walk(node: SchemaNode, path: string, state: Walk): Generator<string> {
  if (state.seen.has(node)) return;
  state.seen.add(node);
  const def = node._zod.def;
  if (def.coerce === true) yield `${path}: must not coerce.`;
  switch (def.type) {
    case "object":
      yield* walkObject(def, path, state);
      return;
    case "array":
      if (!hasCheck(def, "max_length", "length_equals")) yield `${path}: array needs a maximum.`;
      break;
    case "tuple":
      if (def.rest) yield `${path}: tuple must not have a rest.`;
      break;
    case "string":
    case "template_literal":
      if (!isCappedString(def)) yield `${path}: string needs a maximum.`;
      return;
    case "number":
      if (!hasCheck(def, "less_than")) yield `${path}: number needs an upper bound.`;
      if (!hasCheck(def, "greater_than")) yield `${path}: number needs a lower bound.`;
      return;
    case "unknown":
    case "any":
      // An answer may carry another tool's JSON; an argument never may be anything at all.
      if (state.side === "input") yield `${path}: must have a type.`;
      return;
    default:
      if (!transparentTypes.has(def.type)) yield `${path}: type ${def.type} is not allowed.`;
  }
  for (const [segment, child] of children(def)) yield* walk(child, path + segment, state);
}

function* walkObject(def: SchemaDef, path: string, state: Walk): Generator<string> {
  if (def.catchall?._zod.def.type !== "never") yield `${path}: must be a z.strictObject.`;
  for (const [key, field] of Object.entries(def.shape ?? {})) {
    if (!isDescribed(field)) yield `${path}.${key}: needs a description.`;
    yield* walk(field, `${path}.${key}`, state);
  }
}

/** Types that add nothing to check by themselves; their children are walked. */
const transparentTypes: ReadonlySet<string> = new Set([
  "optional",
  "nullable",
  "default",
  "prefault",
  "readonly",
  "nonoptional",
  "lazy",
  "union",
  "intersection",
  "record",
  "boolean",
  "null",
  "literal",
  "enum",
]);

/** String formats whose own pattern fixes the length. */
const fixedLengthFormats: ReadonlySet<string> = new Set([
  "uuid",
  "guid",
  "ulid",
  "date",
  "sha256_hex",
]);

function isCappedString(def: SchemaDef): boolean {
  return hasCheck(def, "max_length", "length_equals") || fixedLengthFormats.has(def.format ?? "");
}

function hasCheck(def: SchemaDef, ...names: readonly string[]): boolean {
  return (def.checks ?? []).some(({ _zod }) => names.includes(_zod.def.check ?? ""));
}

/** A description may stand on the field or on what an optional or default wraps. */
function isDescribed(field: SchemaNode): boolean {
  if ((field.description ?? "").trim() !== "") return true;
  const { innerType } = field._zod.def;
  return innerType !== undefined && isDescribed(innerType);
}

function* children(def: SchemaDef): Generator<readonly [string, SchemaNode]> {
  if (def.innerType) yield ["", def.innerType];
  if (def.getter) yield ["", def.getter()];
  if (def.element) yield ["[]", def.element];
  if (def.left) yield ["", def.left];
  if (def.right) yield ["", def.right];
  if (def.keyType) yield [".<key>", def.keyType];
  if (def.valueType) yield [".<value>", def.valueType];
  for (const option of def.options ?? []) yield ["", option];
  for (const [index, item] of (def.items ?? []).entries()) yield [`[${String(index)}]`, item];
}

function isSchema(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && "_zod" in value;
}
