import type { Config } from "./config.ts";
import type { Positions } from "./domain/positions.ts";
import type { Log } from "./log.ts";
import type { Panes } from "./tmux/panes.ts";
import type { Tmux } from "./tmux/run-tmux.ts";
import type { Turns } from "./turns.ts";

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
  /** Lets each caller's reads follow one another, so that none works from an old position. */
  readonly readTurns: Turns;
  /** The directory that answers show as `~`, when this server is reached over a network. */
  readonly homeToHide?: string;
  readonly now: () => Date;
  readonly log: Log;
}
