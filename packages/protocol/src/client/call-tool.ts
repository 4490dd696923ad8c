import { deliveries } from "../delivery.ts";
import { pointerOf } from "../json/json-pointer.ts";
import type { JsonObject } from "../json-value.ts";
import { issuePath, type StandardIssue, type StandardSchema } from "../standard-schema.ts";
import type { AnyContract, ArgumentsOf, OutputOf } from "../tool-contract.ts";
import { ToolError, toolErrorFromResult } from "../tool-error.ts";
import type { ToolResult } from "../tool-result.ts";

export interface CallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Anything that can send one `tools/call`. A call that brought no result rejects with an error that carries
 * `code` and `delivery`, as mcp-client's do; without them it counts as `call_failed`, delivery `unknown`.
 */
export interface ToolCaller {
  callTool(name: string, args: JsonObject, options: CallOptions): Promise<ToolResult>;
}

export type ToolCallOutcome<C extends AnyContract> =
  | {
      readonly ok: true;
      readonly output: OutputOf<C>;
      /** What the output gets wrong by the contract; it is handed over all the same. */
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly error: ToolError };

/**
 * Calls a tool once by its contract. A finished call never becomes a failure because its output surprises:
 * then the output comes with warnings. A refusal keeps the peer's own code.
 */
export async function callTool<C extends AnyContract>(
  caller: ToolCaller,
  contract: C,
  args: ArgumentsOf<C>,
  options: CallOptions,
): Promise<ToolCallOutcome<C>> {
  let result: ToolResult;
  try {
    result = await caller.callTool(contract.name, args as JsonObject, options);
  } catch (error) {
    return { ok: false, error: asToolError(error) };
  }
  if (result.isError === true) return { ok: false, error: toolErrorFromResult(result) };
  const output: unknown = result.structuredContent ?? {};
  const checked = await (contract.output as StandardSchema)["~standard"].validate(output);
  if (checked.issues === undefined) {
    return { ok: true, output: checked.value as OutputOf<C>, warnings: [] };
  }
  const warnings = checked.issues.map(warningOf);
  if (result.structuredContent === undefined) {
    warnings.push("The result has no structured content.");
  }
  return { ok: true, output: output as OutputOf<C>, warnings };
}

function warningOf(issue: StandardIssue): string {
  const path = pointerOf(issuePath(issue));
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}

function asToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const { code, delivery, message } = (error ?? {}) as Record<string, unknown>;
  return new ToolError(
    typeof code === "string" ? code : "call_failed",
    typeof message === "string" ? message : "The call failed without a message.",
    { cause: error, delivery: deliveries.find((word) => word === delivery) ?? "unknown" },
  );
}
