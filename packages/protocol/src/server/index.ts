export type { Log } from "./log.ts";
export type { Principal, ServeContext } from "./serve-context.ts";
export type { ContextOf, RequestIdentity, ToolBinding, ToolContext } from "./tool-binding.ts";
export type { ServeEnd, ServeStdioOptions } from "./stdio/options.ts";
export type { ServerFactoryOptions, ToolServerFactory } from "./server-factory.ts";
export { bindTool } from "./tool-binding.ts";
export { createServerFactory } from "./server-factory.ts";
export { describeTool } from "./tool-listing.ts";
export { registerTool } from "./register-tool.ts";
