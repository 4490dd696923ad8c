import type { Delivery } from "./delivery.ts";
import type { JsonObject } from "./json-value.ts";
import { type ToolResult, resultWithText } from "./tool-result.ts";

/** A tool's refusal or failure, with a stable code. Thrown by handlers; returned by `callTool`. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: string;
  readonly data: JsonObject;
  /** Whether the call may have run; set on the calling side only. */
  readonly delivery?: Delivery;

  constructor(
    code: string,
    message: string,
    options: ErrorOptions & { readonly data?: JsonObject; readonly delivery?: Delivery } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.data = options.data ?? {};
    if (options.delivery !== undefined) this.delivery = options.delivery;
  }
}

/** The MCP result of a refusal: `{error: {code, message, data}}`, structured and as the same JSON text. */
export function toolErrorToResult(error: ToolError): ToolResult {
  const { code, message, data } = error;
  return { ...resultWithText({ error: { code, message, data } }), isError: true };
}

/**
 * Reads a peer's `isError` result. A peer that does not follow our form gets code `tool_error` and its
 * first text as the message.
 */
export function toolErrorFromResult(result: ToolResult): ToolError {
  const error = asObject(result.structuredContent?.["error"]);
  const code = error?.["code"];
  const message = error?.["message"];
  if (typeof code === "string" && typeof message === "string") {
    const data = asObject(error?.["data"]) ?? {};
    return new ToolError(code, message, { data, delivery: "delivered" });
  }
  const text = result.content.find((block) => block.type === "text")?.text;
  return new ToolError("tool_error", text ?? "The tool reported an error without a message.", {
    delivery: "delivered",
  });
}

function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}
