import type { OutputOf } from "@postern/protocol";
import type { getTmuxSessions } from "../contract/index.ts";
import type { PaneRow } from "./pane-list.ts";
import { isAllowed } from "./target.ts";

type SessionList = OutputOf<typeof getTmuxSessions>;
type Session = SessionList["sessions"][number];
type Window = NonNullable<Session["window_list"]>[number];

const maxSessions = 200;
const maxPanes = 2_000;

/** The sessions a caller may see, from the rows of all; what the user hid is left out. */
export function listSessions(
  rows: readonly PaneRow[],
  allowedSessions: readonly string[],
  detail: boolean,
): SessionList {
  const visible = rows.filter(
    (row) => row.permission !== "hidden" && isAllowed(row.sessionName, allowedSessions),
  );
  const listed = visible.slice(0, maxPanes);
  const bySession = groupBy(listed, (row) => row.sessionId);
  const sessions = bySession.slice(0, maxSessions).map((panes) => describeSession(panes, detail));
  return {
    sessions,
    count: sessions.length,
    truncated: listed.length < visible.length || sessions.length < bySession.length,
  };
}

function describeSession(rows: readonly PaneRow[], detail: boolean): Session {
  const windows = groupBy(rows, (row) => row.windowIndex);
  const [first] = rows;
  return {
    name: first?.sessionName ?? "",
    windows: windows.length,
    panes: rows.filter((row) => row.windowActive).length,
    id: first?.sessionId ?? "",
    total_panes: rows.length,
    attached: first?.attached ?? 0,
    ...(detail && { window_list: windows.map(describeWindow) }),
  };
}

function describeWindow(rows: readonly PaneRow[]): Window {
  const [first] = rows;
  return {
    index: first?.windowIndex ?? 0,
    id: first?.windowId ?? "",
    name: first?.windowName ?? "",
    active: first?.windowActive ?? false,
    panes: rows.map((row) => ({
      index: row.paneIndex,
      id: row.paneId,
      width: row.width,
      height: row.height,
      active: row.paneActive,
      current_command: row.currentCommand,
    })),
  };
}

/** The rows of each key, in the order the keys came. */
function groupBy(rows: readonly PaneRow[], keyOf: (row: PaneRow) => string | number): PaneRow[][] {
  const groups = new Map<string | number, PaneRow[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return [...groups.values()];
}
