import type { z } from "zod";
import type { Tool } from "@modelcontextprotocol/server";
import { annotationsOf, type AnyContract } from "../index.ts";

const listings = new WeakMap<AnyContract, Tool>();

/** The entry of a contract in `tools/list`: the same at both revisions, made once. */
export function describeTool(contract: AnyContract): Tool {
  const known = listings.get(contract);
  if (known) return known;
  const listing: Tool = {
    name: contract.name,
    title: contract.title,
    description: contract.description,
    inputSchema: jsonSchema(contract.input, "input"),
    outputSchema: orRefusal(jsonSchema(contract.output, "output")),
    annotations: annotationsOf(contract),
  };
  listings.set(contract, listing);
  return listing;
}

function jsonSchema(schema: z.ZodObject, direction: "input" | "output"): Tool["inputSchema"] {
  const converted = schema["~standard"].jsonSchema[direction]({ target: "draft-2020-12" });
  // 2020-12 is the dialect MCP assumes where none is named.
  delete converted["$schema"];
  return { ...converted, type: "object" };
}

/**
 * Structured content has to match the output schema also when `isError` is set (2025-11-25, server/tools, "Output
 * Schema"; the SDK 1.x client checks it), so the schema says what a refusal looks like.
 */
function orRefusal(output: Tool["inputSchema"]): Tool["inputSchema"] {
  return { type: "object", anyOf: [withoutBounds(output), refusalSchema] };
}

const refusalSchema = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string" },
        message: { type: "string" },
        data: { type: "object" },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

const bounds: ReadonlySet<string> = new Set(["minimum", "maximum", "maxLength", "maxItems"]);

/** The caps of an answer are ours to keep; listing them would cost every caller tokens. */
function withoutBounds<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutBounds) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !(bounds.has(key) && typeof value === "number"),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutBounds(value)])) as T;
}
