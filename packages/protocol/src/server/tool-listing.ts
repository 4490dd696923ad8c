import type { Tool } from "@modelcontextprotocol/server";
import type { AnyContract, Effect } from "../index.ts";

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
    annotations: {
      title: contract.title,
      ...effectHints(contract.effect),
      openWorldHint: contract.openWorld ?? false,
    },
  };
  listings.set(contract, listing);
  return listing;
}

function effectHints(effect: Effect): {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
} {
  switch (effect) {
    case "read":
      return { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
    case "write":
      return { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
    case "destroy":
      return { readOnlyHint: false, destructiveHint: true, idempotentHint: true };
  }
}

function jsonSchema(schema: AnyContract["input"], direction: "input" | "output"): Tool["inputSchema"] {
  const converted = schema["~standard"].jsonSchema[direction]({ target: "draft-2020-12" });
  return { ...converted, type: "object" };
}
