import type { JsonObject } from "./json-value.ts";

/** One content block of a tool result; only text is read here. */
export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
}

/** The part of an MCP `tools/call` result this package reads and writes. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
}

/** A result that carries `output` as structured content and as the same JSON text. */
export function resultWithText(output: JsonObject): ToolResult {
  return { content: [{ type: "text", text: JSON.stringify(output) }], structuredContent: output };
}
