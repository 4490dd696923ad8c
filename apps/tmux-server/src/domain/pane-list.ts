import { ListReader } from "./list-reader.ts";

/** What the user's `@postern_*` options let an agent do with a pane. */
export type PanePermission = "write" | "read" | "hidden";

/** One pane as one session shows it; a linked window's panes stand once per session. */
export interface PaneRow {
  readonly sessionId: string;
  readonly windowId: string;
  readonly paneId: string;
  readonly panePid: number;
  readonly windowIndex: number;
  readonly paneIndex: number;
  readonly windowActive: boolean;
  readonly paneActive: boolean;
  readonly width: number;
  readonly height: number;
  /** Terminals that show the session. */
  readonly attached: number;
  readonly permission: PanePermission;
  readonly sessionName: string;
  readonly windowName: string;
  readonly currentCommand: string;
}

/** One character per level: unset, `read`, or anything else, which hides. An option's value never reaches the output. */
export const permissionFormat = ["all", "session", "window", "pane"]
  .map((level) => `@postern_${level}`)
  .map((name) => `#{?#{==:#{${name}},},-,#{?#{==:#{${name}},read},r,h}}`)
  .join("");

/** A value that may change while tmux expands it: taken once, without the characters that end a record. */
export function volatileText(variable: string): string {
  return `#{s/[\u0001-\u001f\u007f]/?/:${variable}}`;
}

/**
 * The format of one row: ids and numbers first, then names behind their lengths in bytes, because a window's
 * name may hold tabs and newlines.
 */
export const paneRowFormat = [
  "#{session_id}",
  "#{window_id}",
  "#{pane_id}",
  "#{pane_pid}",
  "#{window_index}",
  "#{pane_index}",
  "#{window_active}",
  "#{pane_active}",
  "#{pane_width}",
  "#{pane_height}",
  "#{session_attached}",
  permissionFormat,
  "#{n:session_name}",
  "#{n:window_name}",
  "#{session_name}",
  "#{window_name}",
  volatileText("pane_current_command"),
].join("\t");

/** Reads every row at the reader's place. @throws MalformedListError when tmux printed something else. */
export function readPaneRows(reader: ListReader): PaneRow[] {
  const rows: PaneRow[] = [];
  while (reader.startsWith("$")) rows.push(readPaneRow(reader));
  return rows;
}

function readPaneRow(reader: ListReader): PaneRow {
  const sessionId = reader.id("$");
  const windowId = reader.id("@");
  const paneId = reader.id("%");
  const numbers = {
    panePid: reader.number(),
    windowIndex: reader.number(),
    paneIndex: reader.number(),
    windowActive: reader.flag(),
    paneActive: reader.flag(),
    width: reader.number(),
    height: reader.number(),
    attached: reader.number(),
  };
  const permission = readPermission(reader);
  const sessionBytes = reader.number();
  const windowBytes = reader.number();
  return {
    sessionId,
    windowId,
    paneId,
    ...numbers,
    permission,
    sessionName: reader.bytes(sessionBytes),
    windowName: reader.bytes(windowBytes),
    currentCommand: reader.restOfLine(),
  };
}

/** The strictest of the four levels. */
export function readPermission(reader: ListReader): PanePermission {
  const levels = reader.field();
  if (!/^[-rh]{4}$/.test(levels) || levels.includes("h")) return "hidden";
  return levels.includes("r") ? "read" : "write";
}
