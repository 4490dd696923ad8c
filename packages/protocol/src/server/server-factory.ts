import { McpServer, type McpServerFactory } from "@modelcontextprotocol/server";
import { newRequestId, type Effect } from "../index.ts";
import { stderrLog, type Log } from "./log.ts";
import { registerBoundTool } from "./register-tool.ts";
import { anonymousContext, ServedAuth, type ServeContext } from "./serve-context.ts";
import type { ToolBinding } from "./tool-binding.ts";
import { describeTool } from "./tool-listing.ts";
import type { ToolSettings } from "./tool-settings.ts";

/** What `createServerFactory` needs to know. */
export interface ServerFactoryOptions {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  /** The tools this caller may know of. */
  readonly tools: (context: ServeContext) => readonly ToolBinding[];
  /** The effects this caller may cause; tools of any other are unlisted and answer `effect_not_enabled`. */
  readonly enabledEffects: (context: ServeContext) => ReadonlySet<Effect>;
  /** One sentence for the person: what to set so that an effect that is not enabled would be. */
  readonly howToEnable?: string;
  /** Turns output that breaks its schema into an error; for tests. @default false */
  readonly strictOutput?: boolean;
  /** Mints a `requestId` where the caller may leave it out and did. @default newRequestId */
  readonly newRequestId?: () => string;
  /** @default JSON lines on stderr */
  readonly log?: Log;
}

/** Makes a fresh MCP server for each connection or request; serves both protocol revisions. */
export interface ToolServerFactory extends McpServerFactory {
  /** The settings a caller's tools run under, for transports that call tools without the MCP SDK. */
  readonly settingsFor: (context: ServeContext) => ToolSettings;
}

/** The revisions of the handshake; 2026-07-28 is added by the SDK where it serves it. */
const handshakeRevisions = ["2025-11-25"];

/** Builds the factory that every transport serves from. Nothing is shared between the servers it makes. */
export function createServerFactory(options: ServerFactoryOptions): ToolServerFactory {
  const settingsFor = (context: ServeContext): ToolSettings => ({
    enabledEffects: options.enabledEffects(context),
    strictOutput: options.strictOutput ?? false,
    howToEnable: options.howToEnable,
    newRequestId: options.newRequestId ?? newRequestId,
    log: options.log ?? stderrLog,
  });
  const factory: McpServerFactory = ({ authInfo }) => {
    const served = authInfo instanceof ServedAuth ? authInfo : undefined;
    const context = served?.context ?? anonymousContext;
    return createServer(options, {
      context,
      settings: settingsFor(context),
      signalOf: served?.signalOf,
    });
  };
  return Object.assign(factory, { settingsFor });
}

function createServer(
  { name, version, instructions, tools }: ServerFactoryOptions,
  registration: Parameters<typeof registerBoundTool>[2] & { readonly context: ServeContext },
): McpServer {
  const server = new McpServer(
    { name, version },
    {
      // The list depends on who calls and never changes while they are connected.
      capabilities: { tools: { listChanged: false } },
      supportedProtocolVersions: handshakeRevisions,
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  const bindings = tools(registration.context);
  for (const binding of bindings) registerBoundTool(server, binding, registration);
  const listed = bindings
    .filter(({ contract }) => registration.settings.enabledEffects.has(contract.effect))
    .map(({ contract }) => describeTool(contract));
  server.server.setRequestHandler("tools/list", () => ({ tools: listed }));
  return server;
}
