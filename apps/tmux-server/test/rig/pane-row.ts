import type { PaneRow } from "../../src/domain/pane-list.ts";

/** A row of the list, as plain as can be. */
export const paneRow: PaneRow = {
  sessionId: "$0",
  windowId: "@0",
  paneId: "%0",
  panePid: 1,
  windowIndex: 0,
  paneIndex: 0,
  windowActive: true,
  paneActive: true,
  width: 80,
  height: 24,
  attached: 0,
  permission: "write",
  sessionName: "work",
  windowName: "sh",
  currentCommand: "sh",
};
