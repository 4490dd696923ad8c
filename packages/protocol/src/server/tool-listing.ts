import type { z } from "zod";
import type { Tool } from "@modelcontextprotocol/server";
import { annotationsOf, type AnyContract } from "../index.ts";
import { requestIdSchema } from "../schema/index.ts";

const listings = new WeakMap<AnyContract, Tool>();

/** The entry of a contract in `tools/list`: the same at both revisions, made once. */
export function describeTool(contract: AnyContract): Tool {
  const known = listings.get(contract);
  if (known) return known;
  // The title stands at the top already.
  const { title: _title, idempotentHint, ...hints } = annotationsOf(contract);
  // Of a tool that changes nothing this hint means nothing (2025-11-25, ToolAnnotations).
  const annotations = hints.readOnlyHint ? hints : { ...hints, idempotentHint };
  const listing: Tool = {
    name: contract.name,
    title: contract.title,
    description: contract.description,
    inputSchema: jsonSchema(contract.input, "input"),
    outputSchema: orRefusal(jsonSchema(contract.output, "output")),
    annotations,
  };
  listings.set(contract, listing);
  return listing;
}

function jsonSchema(schema: z.ZodObject, direction: "input" | "output"): Tool["inputSchema"] {
  const converted = schema["~standard"].jsonSchema[direction]({ target: "draft-2020-12" });
  // 2020-12 is the dialect MCP assumes where none is named.
  delete converted["$schema"];
  return { ...(brief(converted) as object), type: "object" };
}

const uuidPattern = requestIdSchema.toJSONSchema().pattern;

/** Every caller pays for the list: what a format or a pattern says already is not said again. */
function brief(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(brief);
  if (typeof schema !== "object" || schema === null) return schema;
  const node: Record<string, unknown> = { ...schema };
  if (node["type"] === "string") {
    if (node["pattern"] === uuidPattern) node["format"] = "uuid";
    if (node["format"] !== undefined) delete node["pattern"];
    // Where the length of a text matters to a caller, its description says it in words.
    delete node["minLength"];
    delete node["maxLength"];
  }
  const nullable = nullableType(node["anyOf"]);
  if (nullable !== undefined) {
    delete node["anyOf"];
    Object.assign(node, nullable);
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, brief(value)]));
}

/** `anyOf` a plain type and null, as one list of types. */
function nullableType(anyOf: unknown): object | undefined {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined;
  const [type, none] = anyOf as readonly Record<string, unknown>[];
  if (none?.["type"] !== "null" || typeof type?.["type"] !== "string") return undefined;
  return "enum" in type || "const" in type ? undefined : { ...type, type: [type["type"], "null"] };
}

/**
 * Structured content has to match the output schema also when `isError` is set (2025-11-25, server/tools, "Output
 * Schema"; the SDK 1.x client checks it), so every field is listed as one that may be absent, `error` among them.
 */
function orRefusal(output: Tool["inputSchema"]): Tool["inputSchema"] {
  const { properties } = essence(output);
  return { type: "object", properties: { ...properties, error: refusalSchema } };
}

const refusalSchema = { type: "object", required: ["code", "message"] };

const unlisted: ReadonlySet<string> = new Set([
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "maxItems",
  "additionalProperties",
  "propertyNames",
]);

/** What an answer may hold. Its caps are ours to keep; listing them would cost every caller tokens. */
function essence<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(essence) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !isUnlisted(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, essence(value)])) as T;
}

/** A field of an answer may have such a name too; then a schema with a type stands there. */
function isUnlisted(key: string, value: unknown): boolean {
  if (key === "required") return Array.isArray(value);
  return (
    unlisted.has(key) && !(typeof value === "object" && value !== null && "description" in value)
  );
}
