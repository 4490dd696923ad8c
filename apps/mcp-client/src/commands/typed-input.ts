import { composeArguments, type Composed } from "../args/compose.ts";
import { isMembers } from "../protocol/json-rpc.ts";
import type { Tool } from "../protocol/tool.ts";
import type { CallInput } from "./call-input.ts";

/**
 * Types the input by the tool's schema. An id for exactly-once is minted when it was asked for, or when a tool
 * that may have effects takes a string `requestId` and none was given: an unknown outcome can then be asked about.
 */
export async function typeCallInput(
  { words, base, requestId }: CallInput,
  tool: Pick<Tool, "inputSchema" | "annotations"> | undefined,
): Promise<Composed> {
  const schema = tool?.inputSchema;
  const given = "requestId" in base || words.some(({ key }) => key === "requestId");
  const wanted = requestId ?? (!given && tool && takesNewRequestId(tool) ? "new" : undefined);
  if (wanted === undefined) return composeArguments({ words, base, schema });
  const { newRequestId } = await import("@postern/protocol");
  const id = wanted === "new" ? newRequestId() : wanted;
  return composeArguments({ words, base: { ...base, requestId: id }, schema });
}

function takesNewRequestId({
  inputSchema,
  annotations,
}: Pick<Tool, "inputSchema" | "annotations">): boolean {
  const { properties } = inputSchema;
  const property = isMembers(properties) ? properties["requestId"] : undefined;
  return (
    annotations?.["readOnlyHint"] !== true && isMembers(property) && property["type"] === "string"
  );
}
