import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import type { PaneRow } from "../../src/domain/pane-list.ts";
import { listSessions } from "../../src/domain/session-list.ts";
import { paneRow } from "../rig/pane-row.ts";

proves(
  "TMUX-33",
  "at most 200 sessions and 2000 panes are listed, and the answer says when there are more",
  () => {
    expect(sizes(sessions(200))).toEqual([200, 200, false]);
    expect(sizes(sessions(201))).toEqual([200, 200, true]);
    expect(sizes(panes(2_000))).toEqual([1, 2_000, false]);
    expect(sizes(panes(2_001))).toEqual([1, 2_000, true]);
  },
);

test("only what the user left visible in allowed sessions is listed and counted", () => {
  const rows: PaneRow[] = [
    { ...paneRow, paneId: "%1", permission: "hidden" },
    { ...paneRow, paneId: "%2", permission: "read" },
    { ...paneRow, paneId: "%3", windowIndex: 1, windowId: "@1", windowActive: false },
    { ...paneRow, paneId: "%4", sessionId: "$1", sessionName: "hidden", permission: "hidden" },
    { ...paneRow, paneId: "%5", sessionId: "$2", sessionName: "other" },
  ];

  expect(listSessions(rows, ["work", "hidden"], false)).toEqual({
    sessions: [{ name: "work", id: "$0", windows: 2, panes: 1, total_panes: 2, attached: 0 }],
    count: 1,
    truncated: false,
  });
});

function sizes(rows: readonly PaneRow[]): [number, number, boolean] {
  const { sessions, count, truncated } = listSessions(rows, [], true);
  const listed = sessions.flatMap(({ window_list = [] }) =>
    window_list.flatMap(({ panes }) => panes),
  );
  return [count, listed.length, truncated];
}

function sessions(count: number): PaneRow[] {
  return Array.from({ length: count }, (_none, index) => ({
    ...paneRow,
    sessionId: `$${String(index)}`,
    paneId: `%${String(index)}`,
  }));
}

function panes(count: number): PaneRow[] {
  return Array.from({ length: count }, (_none, index) => ({ ...paneRow, paneIndex: index }));
}
