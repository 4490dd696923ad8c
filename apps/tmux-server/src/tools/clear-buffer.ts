import { bindTool, type ToolBinding } from "@postern/protocol/server";
import type { App } from "../app.ts";
import { clearBuffer } from "../contract/index.ts";

/** Forgets the caller's reading positions. */
export function clearBufferTool({ positions }: App): ToolBinding {
  return bindTool(clearBuffer, async ({ target }, { principal }) => ({
    cleared: target ?? "all",
    count: positions.clear(principal.subject, target),
  }));
}
