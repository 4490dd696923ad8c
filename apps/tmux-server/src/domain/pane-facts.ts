import { ListReader } from "./list-reader.ts";
import {
  type PanePermission,
  permissionFormat,
  readPermission,
  volatileText,
} from "./pane-list.ts";

/** What tmux says about one pane at one moment. */
export interface PaneFacts {
  readonly sessionId: string;
  readonly windowId: string;
  readonly paneId: string;
  readonly panePid: number;
  readonly width: number;
  readonly height: number;
  readonly cursorX: number;
  readonly cursorY: number;
  /** Rows above the screen. */
  readonly historySize: number;
  readonly historyLimit: number;
  readonly alternateScreen: boolean;
  readonly active: boolean;
  readonly dead: boolean;
  readonly exitStatus: number | undefined;
  readonly inMode: boolean;
  readonly inputOff: boolean;
  readonly synchronized: boolean;
  readonly permission: PanePermission;
  readonly tty: string;
  readonly currentCommand: string;
  readonly cwd: string;
}

/** The record starts with `=`, so that it cannot be taken for one more row of a list. */
export const paneFactsFormat = [
  "=",
  "#{session_id}",
  "#{window_id}",
  "#{pane_id}",
  "#{pane_pid}",
  "#{pane_width}",
  "#{pane_height}",
  "#{cursor_x}",
  "#{cursor_y}",
  "#{history_size}",
  "#{history_limit}",
  "#{?alternate_on,1,0}",
  "#{?pane_active,1,0}",
  "#{?pane_dead,1,0}",
  "#{pane_dead_status}",
  "#{?pane_in_mode,1,0}",
  "#{?pane_input_off,1,0}",
  "#{?pane_synchronized,1,0}",
  permissionFormat,
  "#{pane_tty}",
  volatileText("pane_current_command"),
  volatileText("pane_current_path"),
].join("\t");

/** Reads the record at the reader's place. @throws MalformedListError when tmux printed something else. */
export function readPaneFacts(reader: ListReader): PaneFacts {
  reader.field();
  return {
    sessionId: reader.id("$"),
    windowId: reader.id("@"),
    paneId: reader.id("%"),
    panePid: reader.number(),
    width: reader.number(),
    height: reader.number(),
    cursorX: reader.number(),
    cursorY: reader.number(),
    historySize: reader.number(),
    historyLimit: reader.number(),
    alternateScreen: reader.flag(),
    active: reader.flag(),
    dead: reader.flag(),
    exitStatus: reader.optionalNumber(),
    inMode: reader.flag(),
    inputOff: reader.flag(),
    synchronized: reader.flag(),
    permission: readPermission(reader),
    tty: reader.field(),
    currentCommand: reader.field(),
    cwd: reader.restOfLine(),
  };
}
