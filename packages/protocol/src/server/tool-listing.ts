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
    outputSchema: jsonSchema(contract.output, "output"),
    annotations: annotationsOf(contract),
  };
  listings.set(contract, listing);
  return listing;
}

function jsonSchema(schema: z.ZodObject, direction: "input" | "output"): Tool["inputSchema"] {
  const converted = schema["~standard"].jsonSchema[direction]({ target: "draft-2020-12" });
  return { ...converted, type: "object" };
}
