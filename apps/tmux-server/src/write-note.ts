import { createHash } from "node:crypto";
import type { JsonObject } from "@postern/protocol";
import type { PaneRow } from "./domain/pane-list.ts";
import { targetName } from "./domain/target.ts";
import type { WriteApp } from "./write-app.ts";

/**
 * What the receipt of a write says about it from the moment before it begins: where it goes, how much it is, and
 * its hash; what is typed itself only as far as the tool adds it.
 */
export function writeNote({ tmux }: WriteApp, row: PaneRow, typed: string): JsonObject {
  return {
    target: targetName(row),
    pane_id: row.paneId,
    pane_pid: row.panePid,
    socket: tmux.socket,
    bytes: Buffer.byteLength(typed),
    sha256: createHash("sha256").update(typed).digest("hex"),
  };
}
