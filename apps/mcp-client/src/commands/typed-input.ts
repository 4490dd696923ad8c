import { composeArguments, type Composed } from "../args/compose.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import type { CallInput } from "./call-input.ts";

/**
 * Types the input by the tool's schema. An id for exactly-once is minted when it was asked for, or when the
 * schema demands a string `requestId` and none was given.
 */
export async function typeCallInput(
  { words, base, requestId }: CallInput,
  schema: Members | undefined,
): Promise<Composed> {
  const given = "requestId" in base || words.some(({ key }) => key === "requestId");
  const wanted = requestId ?? (!given && schema && demandsRequestId(schema) ? "new" : undefined);
  if (wanted === undefined) return composeArguments({ words, base, schema });
  const { newRequestId } = await import("@postern/protocol");
  const id = wanted === "new" ? newRequestId() : wanted;
  return composeArguments({ words, base: { ...base, requestId: id }, schema });
}

function demandsRequestId({ required, properties }: Members): boolean {
  const property = isMembers(properties) ? properties["requestId"] : undefined;
  const isRequired = Array.isArray(required) && required.includes("requestId");
  return isRequired && isMembers(property) && property["type"] === "string";
}
