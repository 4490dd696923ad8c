import type { AnyContract, ArgumentsOf, OutputOf, ToolError } from "@postern/protocol";
import type { ToolBinding, ToolContext } from "@postern/protocol/server";
import { expect } from "vitest";
import type { App } from "../../src/app.ts";
import { configSchema } from "../../src/config.ts";
import type {
  clearBuffer,
  getServerInfo,
  getTmuxSessions,
  readTmuxPane,
} from "../../src/contract/index.ts";
import { Positions } from "../../src/domain/positions.ts";
import { createPanes } from "../../src/tmux/panes.ts";
import { createTmux } from "../../src/tmux/run-tmux.ts";
import { clearBufferTool } from "../../src/tools/clear-buffer.ts";
import { getServerInfoTool } from "../../src/tools/get-server-info.ts";
import { getTmuxSessionsTool } from "../../src/tools/get-tmux-sessions.ts";
import { readTmuxPaneTool } from "../../src/tools/read-tmux-pane.ts";
import { Turns } from "../../src/turns.ts";

export interface AppSettings {
  readonly socket: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly now?: () => Date;
}

/** The parts of the server that read, over a real tmux. */
export function readingApp(settings: AppSettings): App {
  const config = configSchema.parse(settings.config ?? {});
  const tmux = createTmux({
    path: config.tmux_path,
    socket: settings.socket,
    timeoutMs: config.tmux_timeout_ms,
    environment: settings.environment ?? process.env,
  });
  return {
    version: "1.2.3",
    config,
    configPath: "/home/user/.config/mcp-tmux/config.json",
    writeEnabled: false,
    tmux,
    panes: createPanes(tmux, config.allowed_sessions),
    positions: new Positions(),
    readTurns: new Turns(),
    now: settings.now ?? (() => new Date()),
    log: () => undefined,
  };
}

type Caller<C extends AnyContract> = (
  args?: ArgumentsOf<C>,
  subject?: string,
) => Promise<OutputOf<C>>;

export interface ReadingTools {
  readonly read: Caller<typeof readTmuxPane>;
  readonly sessions: Caller<typeof getTmuxSessions>;
  readonly clear: Caller<typeof clearBuffer>;
  readonly info: Caller<typeof getServerInfo>;
}

/** Calls the reading tools as a server would: arguments parsed, answers held against their schema. */
export function readingTools(app: App): ReadingTools {
  return {
    read: caller(readTmuxPaneTool(app)),
    sessions: caller(getTmuxSessionsTool(app)),
    clear: caller(clearBufferTool(app)),
    info: caller(getServerInfoTool(app)),
  };
}

/** Calls one bound tool. */
export function caller<C extends AnyContract>({ contract, handle }: ToolBinding): Caller<C> {
  return async (args, subject = "user") => {
    const context = { principal: { subject, scopes: [] } } as unknown as ToolContext;
    const output = await handle(contract.input.parse(args ?? {}), context);
    return contract.output.parse(output) as OutputOf<C>;
  };
}

/** The code of the refusal a call ends with. */
export async function refusalOf(call: Promise<unknown>): Promise<ToolError> {
  const error: unknown = await call.then(
    () => expect.fail("the call was not refused"),
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: "ToolError" });
  return error as ToolError;
}
