import type { Config } from "./config.ts";
import type { Positions } from "./domain/positions.ts";
import type { Log } from "./log.ts";
import type { Panes } from "./tmux/panes.ts";
import type { Tmux } from "./tmux/run-tmux.ts";

/** What every reading tool works with. */
export interface App {
  readonly version: string;
  readonly config: Config;
  readonly configPath: string;
  /** Whether write tools are enabled in this run. */
  readonly writeEnabled: boolean;
  readonly tmux: Tmux;
  readonly panes: Panes;
  readonly positions: Positions;
  readonly now: () => Date;
  readonly log: Log;
}
