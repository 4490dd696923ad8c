import {
  PROTOCOL_VERSION_META_KEY,
  type CallToolResult,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { newRequestId, toolErrorToResult } from "../index.ts";
import { stderrLog } from "./log.ts";
import { createProgressReporter } from "./progress.ts";
import {
  anonymousContext,
  ServedAuth,
  type ServeContext,
  type SignalOfRequest,
} from "./serve-context.ts";
import type { ToolBinding } from "./tool-binding.ts";
import { callBoundTool, type ToolAnswer } from "./tool-call.ts";
import { describeTool } from "./tool-listing.ts";
import type { ToolSettings } from "./tool-settings.ts";

/** Registers a bound tool on an MCP server you built yourself. Every effect is enabled: registering it is your decision. */
export function registerTool(server: McpServer, binding: ToolBinding): void {
  registerBoundTool(server, binding, {
    settings: {
      enabledEffects: new Set(["read", "write", "destroy"]),
      strictOutput: false,
      newRequestId,
      log: stderrLog,
    },
  });
}

/** How a factory registers: with its settings and what it knows of the caller. */
export interface Registration {
  readonly settings: ToolSettings;
  readonly context?: ServeContext;
  readonly signalOf?: SignalOfRequest | undefined;
}

/** Registers a bound tool under a factory's settings. */
export function registerBoundTool(
  server: McpServer,
  binding: ToolBinding,
  registration: Registration,
): void {
  const { name, title, description, inputSchema, outputSchema, annotations } = describeTool(
    binding.contract,
  );
  server.registerTool(
    name,
    {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(annotations === undefined ? {} : { annotations }),
      inputSchema: listedOnly(inputSchema),
      outputSchema: listedOnly(outputSchema ?? {}),
    },
    async (args: unknown, request: ServerContext) => serve(binding, registration, args, request),
  );
}

/** A schema the SDK lists and does not judge with: bad arguments are answered by us, in our words. */
function listedOnly(schema: Record<string, unknown>): StandardSchemaWithJSON {
  return {
    "~standard": {
      version: 1,
      vendor: "postern",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

async function serve(
  binding: ToolBinding,
  { settings, context, signalOf }: Registration,
  args: unknown,
  request: ServerContext,
): Promise<CallToolResult> {
  const own = signalOf?.(request.mcpReq.id);
  const signal = own ? AbortSignal.any([own, request.mcpReq.signal]) : request.mcpReq.signal;
  const progress = createProgressReporter(request, signal, settings.log);
  const stateless = PROTOCOL_VERSION_META_KEY in (request.mcpReq.envelope ?? {});
  const answer = await callBoundTool(
    binding,
    {
      context: context ?? contextOf(request),
      arguments: args,
      signal,
      revision: stateless ? "2026-07-28" : "2025-11-25",
      reportProgress: progress.report,
      meta: request.mcpReq._meta,
    },
    settings,
  );
  progress.end();
  return toCallToolResult(answer);
}

function contextOf(request: ServerContext): ServeContext {
  const { authInfo } = request.http ?? {};
  return authInfo instanceof ServedAuth ? authInfo.context : anonymousContext;
}

function toCallToolResult(answer: ToolAnswer): CallToolResult {
  // The SDK's type is the same shape, written without readonly.
  if (!answer.ok) return toolErrorToResult(answer.error) as CallToolResult;
  return { content: [{ type: "text", text: answer.text }], structuredContent: answer.output };
}
