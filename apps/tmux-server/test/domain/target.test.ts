import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import type { PaneAddress } from "../../src/contract/index.ts";
import type { PaneRow } from "../../src/domain/pane-list.ts";
import { paneRow } from "../rig/pane-row.ts";
import { resolveTarget, targetIds } from "../../src/domain/target.ts";

const rows: PaneRow[] = [
  { ...paneRow, windowIndex: 2, windowId: "@2", paneIndex: 1, paneId: "%2" },
  { ...paneRow, windowIndex: 2, windowId: "@2", paneIndex: 3, paneId: "%3" },
  { ...paneRow, windowIndex: 5, windowId: "@5", paneId: "%5" },
  { ...paneRow, sessionId: "$1", sessionName: "work-prod", windowId: "@6", paneId: "%6" },
  { ...paneRow, sessionId: "$2", sessionName: "w*d", windowId: "@7", paneId: "%7" },
  { ...paneRow, sessionId: "$3", sessionName: "secret", windowId: "@8", paneId: "%8" },
  // Window @5 of work is also linked into secret.
  {
    ...paneRow,
    sessionId: "$3",
    sessionName: "secret",
    windowIndex: 4,
    windowId: "@5",
    paneId: "%5",
  },
  {
    ...paneRow,
    sessionId: "$4",
    sessionName: "off",
    windowId: "@9",
    paneId: "%9",
    permission: "hidden",
  },
];

proves("TMUX-13", "a session that is not listed is refused alike, whether it exists or not", () => {
  const others = ["work-prod", "no-such", "wor", "work-", "W*D", "=work", "$0", ""];
  const codes = others.map((session) => resolve({ session }, ["work", "w*d"]));

  expect(codes).toEqual(others.map(() => "session_not_allowed"));
  expect(resolve({ session: "work" }, ["work", "w*d"])).toBe("$0:@2.%2");
  expect(resolve({ session: "w*d" }, ["work", "w*d"])).toBe("$2:@7.%7");
});

proves("TMUX-17", "a pane is reachable through an allowed session only, also by its id", () => {
  expect(resolve({ pane_id: "%8" }, ["work"])).toBe("pane_not_found");
  expect(resolve({ pane_id: "%5" }, ["work"])).toBe("$0:@5.%5");
  expect(resolve({ pane_id: "%5" }, ["secret"])).toBe("$3:@5.%5");
  expect(resolve({ pane_id: "%5", session: "secret" }, ["work"])).toBe("session_not_allowed");
});

test("a missing index is refused with those that exist, and an omitted one is the lowest", () => {
  expect(resolve({ session: "work" })).toBe("$0:@2.%2");
  expect(resolve({ session: "work", window: 2, pane: 3 })).toBe("$0:@2.%3");
  expect(resolveTarget(rows, { session: "work", window: 9, pane: 9 }, [])).toMatchObject({
    code: "window_not_found",
    data: { windows: [2, 5] },
  });
  expect(resolveTarget(rows, { session: "work", window: 2, pane: 0 }, [])).toMatchObject({
    code: "pane_not_found",
    data: { panes: [1, 3] },
  });
});

test("an unknown session is refused with the allowed ones, hidden ones left out", () => {
  expect(resolveTarget(rows, { session: "x" }, [])).toMatchObject({
    code: "session_not_found",
    message: 'Session not found: "x".',
    data: { sessions: ["work", "work-prod", "w*d", "secret"] },
  });
});

test("a pane id and a place must agree", () => {
  expect(resolve({ pane_id: "%999" })).toBe("pane_not_found");
  expect(resolve({ pane_id: "%6", session: "work" })).toBe("pane_not_in_session");
  expect(resolve({ pane_id: "%3", session: "work", window: 5 })).toBe("pane_not_in_session");
  expect(resolve({ pane_id: "%3", session: "work", window: 2, pane: 3 })).toBe("$0:@2.%3");
});

test("a hidden pane is refused by name and by id", () => {
  expect(resolve({ session: "off" })).toBe("hidden_by_user");
  expect(resolve({ pane_id: "%9" })).toBe("hidden_by_user");
});

function resolve(address: PaneAddress, allowed: readonly string[] = []): string {
  const resolution = resolveTarget(rows, address, allowed);
  return resolution.kind === "found" ? targetIds(resolution.row) : resolution.code;
}
