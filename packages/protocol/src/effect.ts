/** What a tool may do to the world; the safety gate and the MCP annotations derive from it. */
export type Effect = "read" | "write" | "destroy";

/** Every effect, weakest first. */
export const effects: readonly Effect[] = ["read", "write", "destroy"];

/** The behaviour hints MCP lists with a tool. */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * The MCP annotations of a tool. Writing tools are idempotent because a repeated requestId
 * returns the first receipt instead of acting again.
 */
export function annotationsOf(tool: {
  readonly title: string;
  readonly effect: Effect;
  readonly openWorld?: boolean;
}): ToolAnnotations {
  return {
    title: tool.title,
    readOnlyHint: tool.effect === "read",
    destructiveHint: tool.effect === "destroy",
    idempotentHint: true,
    openWorldHint: tool.openWorld ?? false,
  };
}
