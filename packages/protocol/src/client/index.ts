export type { CallOptions, ToolCaller, ToolCallOutcome } from "./call-tool.ts";
export { callTool } from "./call-tool.ts";
