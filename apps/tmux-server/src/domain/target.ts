import type { PaneAddress, TmuxErrorCode } from "../contract/index.ts";
import type { PaneRow } from "./pane-list.ts";

/** The pane an address means, or why there is none for this caller. */
export type Resolution =
  | { readonly kind: "found"; readonly row: PaneRow }
  | {
      readonly kind: "refused";
      readonly code: TmuxErrorCode;
      readonly message: string;
      readonly data: Readonly<Record<string, (string | number)[]>>;
    };

type PaneIds = Pick<PaneRow, "sessionId" | "windowId" | "paneId" | "panePid">;

const maxListed = 50;

/**
 * Finds the pane an address means in a fresh list. Names are compared whole; the allowlist (empty: all) comes
 * before anything that could show whether a session exists.
 */
export function resolveTarget(
  rows: readonly PaneRow[],
  address: PaneAddress,
  allowedSessions: readonly string[],
): Resolution {
  const { session, pane_id: paneId } = address;
  if (session !== undefined && !isAllowed(session, allowedSessions)) {
    return refused("session_not_allowed", `Session not allowed: ${JSON.stringify(session)}.`);
  }
  const allowed = rows.filter((row) => isAllowed(row.sessionName, allowedSessions));
  const inSession =
    session === undefined ? allowed : allowed.filter((row) => row.sessionName === session);
  if (inSession.length === 0 && session !== undefined) {
    return refused("session_not_found", `Session not found: ${JSON.stringify(session)}.`, {
      sessions: distinct(visible(allowed).map((row) => row.sessionName)),
    });
  }
  const resolution =
    paneId === undefined
      ? byIndex(inSession, address)
      : byPaneId(paneId, allowed, inSession, address);
  return resolution.kind === "found" && resolution.row.permission === "hidden"
    ? refused("hidden_by_user", "The user hid this pane from agents.")
    : resolution;
}

/** Whether a session may be seen, by its full name. */
export function isAllowed(sessionName: string, allowedSessions: readonly string[]): boolean {
  return allowedSessions.length === 0 || allowedSessions.includes(sessionName);
}

/** How answers name a pane. */
export function targetName(row: PaneRow): string {
  return `${row.sessionName}:${String(row.windowIndex)}.${String(row.paneIndex)}`;
}

/** The only form in which a pane is named to tmux: ids, never names or indexes. */
export function targetIds({ sessionId, windowId, paneId }: PaneIds): string {
  return `${sessionId}:${windowId}.${paneId}`;
}

/** Whether two looks found the same pane, program and place. */
export function isSamePane(one: PaneIds, other: PaneIds): boolean {
  return targetIds(one) === targetIds(other) && one.panePid === other.panePid;
}

function byIndex(rows: readonly PaneRow[], { window, pane }: PaneAddress): Resolution {
  const windowIndex = window ?? lowest(rows.map((row) => row.windowIndex));
  const inWindow = rows.filter((row) => row.windowIndex === windowIndex);
  if (inWindow.length === 0) {
    return refused("window_not_found", `Window not found: ${String(windowIndex)}.`, {
      windows: distinct(visible(rows).map((row) => row.windowIndex)),
    });
  }
  const paneIndex = pane ?? lowest(inWindow.map((row) => row.paneIndex));
  const row = inWindow.find((candidate) => candidate.paneIndex === paneIndex);
  if (row !== undefined) return { kind: "found", row };
  return refused("pane_not_found", `Pane not found: ${String(paneIndex)}.`, {
    panes: distinct(visible(inWindow).map((candidate) => candidate.paneIndex)),
  });
}

function byPaneId(
  paneId: string,
  allowed: readonly PaneRow[],
  inSession: readonly PaneRow[],
  { window, pane }: PaneAddress,
): Resolution {
  // A pane of sessions that are not allowed looks like one that does not exist.
  const anywhere = allowed.filter((row) => row.paneId === paneId);
  if (anywhere.length === 0) return refused("pane_not_found", `Pane not found: ${paneId}.`);
  const here = inSession.filter(
    (row) =>
      row.paneId === paneId &&
      (window ?? row.windowIndex) === row.windowIndex &&
      (pane ?? row.paneIndex) === row.paneIndex,
  );
  const row = visible(here)[0] ?? here[0];
  return row === undefined
    ? refused("pane_not_in_session", `Pane ${paneId} is not at the place that was named.`)
    : { kind: "found", row };
}

function visible(rows: readonly PaneRow[]): PaneRow[] {
  return rows.filter((row) => row.permission !== "hidden");
}

function lowest(indexes: readonly number[]): number {
  return indexes.reduce((least, index) => Math.min(least, index), Infinity);
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)].slice(0, maxListed);
}

function refused(
  code: TmuxErrorCode,
  message: string,
  data: Readonly<Record<string, (string | number)[]>> = {},
): Resolution {
  return { kind: "refused", code, message, data };
}
