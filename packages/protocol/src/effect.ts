import { ContractError } from "./errors.ts";

/** What a tool may do to the world; the safety gate and the MCP annotations derive from it. */
export type Effect = "read" | "write" | "destroy";

/** Every effect, weakest first. */
export const effects: readonly Effect[] = ["read", "write", "destroy"];

/** The rule an effect outside that list breaks. */
export const EFFECT_RULE = "effect: must be read, write or destroy.";

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
 * returns the first receipt instead of acting again. @throws ContractError on an unknown effect.
 */
export function annotationsOf(tool: {
  readonly title: string;
  readonly effect: Effect;
  readonly openWorld?: boolean;
}): ToolAnnotations {
  if (!effects.includes(tool.effect)) throw new ContractError(tool.title, [EFFECT_RULE]);
  return {
    title: tool.title,
    readOnlyHint: tool.effect === "read",
    destructiveHint: tool.effect === "destroy",
    idempotentHint: true,
    openWorldHint: tool.openWorld ?? false,
  };
}
