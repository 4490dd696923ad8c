import { ToolError } from "@postern/protocol";
import { bindTool, type ToolBinding } from "@postern/protocol/server";
import type { App } from "../app.ts";
import { getTmuxSessions } from "../contract/index.ts";
import type { PaneRow } from "../domain/pane-list.ts";
import { listSessions } from "../domain/session-list.ts";

/** Lists the sessions a caller may see; none where no tmux server runs. */
export function getTmuxSessionsTool({ panes, config }: App): ToolBinding {
  return bindTool(getTmuxSessions, async ({ detail }) =>
    listSessions(await rowsOrNone(panes.list()), config.allowed_sessions, detail),
  );
}

async function rowsOrNone(list: Promise<readonly PaneRow[]>): Promise<readonly PaneRow[]> {
  try {
    return await list;
  } catch (error) {
    if (error instanceof ToolError && error.code === "no_server") return [];
    throw error;
  }
}
