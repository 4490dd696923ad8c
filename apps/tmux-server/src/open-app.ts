import { realpathSync } from "node:fs";
import type { Config } from "./config.ts";
import { Positions } from "./domain/positions.ts";
import type { Flags } from "./flags.ts";
import type { Log } from "./log.ts";
import { PaneQueue } from "./pane-queue.ts";
import { type Environment, homeDirectory, ownPane, socketPath, stateDirectory } from "./places.ts";
import { type ReceiptBook, receiptBook } from "./receipt-book.ts";
import { AgentSign } from "./tmux/agent-sign.ts";
import { createPanes } from "./tmux/panes.ts";
import { createTmux } from "./tmux/run-tmux.ts";
import { createTtyMode } from "./tmux/tty-mode.ts";
import { tokenCheck } from "./token-check.ts";
import { Turns } from "./turns.ts";
import type { WriteApp } from "./write-app.ts";

export interface AppOptions {
  readonly flags: Flags;
  readonly config: Config;
  readonly configPath: string;
  readonly environment: Environment;
  readonly version: string;
  readonly log: Log;
  readonly closing: AbortSignal;
}

/** Everything the tools work with; nothing is opened or started before a tool needs it. */
export function openApp(options: AppOptions): {
  readonly app: WriteApp;
  readonly book: ReceiptBook;
} {
  const { flags, config, configPath, environment, version, log, closing } = options;
  const socket = socketPath(flags, config, environment);
  const own = ownPane(environment);
  const tmux = createTmux({
    path: config.tmux_path,
    socket,
    timeoutMs: config.tmux_timeout_ms,
    environment,
  });
  const book = receiptBook(stateDirectory(environment), log);
  const app: WriteApp = {
    version,
    config,
    configPath,
    writeEnabled: (config.write_enabled || flags.write) && !flags.readOnly,
    tmux,
    panes: createPanes(tmux, config.allowed_sessions),
    ...(flags.http === undefined ? {} : { homeToHide: homeDirectory(environment) }),
    positions: new Positions(),
    readTurns: new Turns(),
    now: () => new Date(),
    log,
    receipts: () => book.open(),
    token: tokenCheck(config.auth_token),
    sign: new AgentSign(tmux),
    readTtyMode: createTtyMode({ environment, platform: process.platform }),
    runs: new PaneQueue(),
    ownPaneId: own !== undefined && isSameFile(own.socket, socket) ? own.paneId : undefined,
    platform: process.platform,
    closing,
  };
  return { app, book };
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    // A socket that is not there yet is compared by its name.
    return one === other;
  }
}
