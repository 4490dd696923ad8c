import type { Receipts } from "@postern/receipts";
import type { App } from "./app.ts";
import type { TokenCheck } from "./token-check.ts";
import type { PaneQueue } from "./pane-queue.ts";
import type { AgentSign } from "./tmux/agent-sign.ts";
import type { ReadTtyMode } from "./tmux/tty-mode.ts";

/** What every tool works with, the writing ones included. */
export interface WriteApp extends App {
  /** Opens the receipt store at the first need. @throws ToolError `store_unavailable` */
  readonly receipts: () => Promise<Receipts>;
  readonly token: TokenCheck;
  /** Shows the person what this server does. */
  readonly sign: AgentSign;
  readonly readTtyMode: ReadTtyMode;
  /** The runs that wait for their pane. */
  readonly runs: PaneQueue;
  /** The pane this server runs in, if it is one of this tmux. */
  readonly ownPaneId: string | undefined;
  readonly platform: NodeJS.Platform;
  /** Fires when the server ends: what still waits stops waiting. */
  readonly closing: AbortSignal;
}
