import type { z } from "zod";
import { cutText, ToolError, type AnyContract, type JsonObject } from "../index.ts";
import { pointerOf } from "../json/json-pointer.ts";
import { nearestKey } from "../nearest-key.ts";
import { describeTool } from "./tool-listing.ts";

const maxIssues = 20;
const maxProblemBytes = 300;

/** Turns what the schema found wrong into `invalid_arguments`. Names fields and rules, never a value that was sent. */
export function invalidArguments(
  contract: AnyContract,
  found: readonly z.core.$ZodIssue[],
): ToolError {
  const all = found.flatMap((issue) => describeIssue(contract, issue));
  const issues = all.slice(0, maxIssues);
  const omittedIssues = all.length - issues.length;
  return new ToolError(
    "invalid_arguments",
    `The arguments of ${contract.name} are not valid: ${String(all.length)} ${all.length === 1 ? "problem" : "problems"}; nothing was done.`,
    { data: { issues, ...(omittedIssues === 0 ? {} : { omittedIssues }) } },
  );
}

function describeIssue(contract: AnyContract, issue: z.core.$ZodIssue): JsonObject[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ path: writePath(issue.path), problem: problemOf(issue) }];
  }
  const known = knownKeys(describeTool(contract).inputSchema, issue.path);
  return issue.keys.map((key) => {
    const nearest = nearestKey(key, known);
    return {
      path: writePath([...issue.path, key]),
      problem: "Unknown key.",
      ...(nearest === undefined ? {} : { nearestKey: nearest }),
    };
  });
}

/** Zod's own messages speak of types, limits and allowed values only, so they are safe to pass on. */
function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined"))
    return "Required.";
  return cutText(issue.message, maxProblemBytes).text;
}

function writePath(path: readonly PropertyKey[]): string {
  return pointerOf(path.map(String));
}

/** The property names the listed JSON Schema allows at a path. */
function knownKeys(schema: unknown, path: readonly PropertyKey[]): string[] {
  let nodes: unknown[] = [schema];
  for (const key of path) {
    nodes = alternatives(nodes).map((node) =>
      typeof key === "number" ? field(node, "items") : field(field(node, "properties"), key),
    );
  }
  return alternatives(nodes).flatMap((node) => Object.keys(field(node, "properties") ?? {}));
}

function alternatives(nodes: readonly unknown[]): unknown[] {
  return nodes.flatMap((node) => {
    const branches = field(node, "anyOf") ?? field(node, "oneOf");
    return Array.isArray(branches) ? [node, ...alternatives(branches)] : [node];
  });
}

function field(node: unknown, key: PropertyKey): object | undefined {
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
  const value: unknown = Reflect.get(node, key);
  return typeof value === "object" && value !== null ? value : undefined;
}
