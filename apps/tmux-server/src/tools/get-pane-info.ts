import { bindTool, type ToolBinding } from "@postern/protocol/server";
import { getPaneInfo } from "../contract/index.ts";
import { showLine } from "../domain/shown-line.ts";
import { targetName } from "../domain/target.ts";
import { inputRefusal, passwordRefusal } from "../domain/write-refusal.ts";
import { judgeLook } from "../tmux/judge-pane.ts";
import type { PaneLook } from "../tmux/panes.ts";
import type { WriteApp } from "../write-app.ts";

const maxLastLineBytes = 4_096;

/** Says what a pane is doing and whether a write would be accepted now. */
export function getPaneInfoTool(app: WriteApp): ToolBinding {
  return bindTool(getPaneInfo, async (args) => {
    const look = await app.panes.look(args, "tail");
    const { row, facts } = look;
    const judged = await judgeLook(look, app.readTtyMode, app.config.prompt_suffixes);
    const wish = { ownPaneId: app.ownPaneId, leaveCopyMode: false };
    const refusal = inputRefusal(facts, wish) ?? passwordRefusal(judged.state);
    const reason = app.writeEnabled ? (refusal?.code ?? null) : "effect_not_enabled";
    return {
      target: targetName(row),
      width: facts.width,
      height: facts.height,
      current_command: facts.currentCommand,
      active: facts.active,
      prompt_detected: judged.promptDetected,
      command_running: judged.commandRunning,
      last_line: lastLine(look),
      pane_id: row.paneId,
      session_id: row.sessionId,
      window_id: row.windowId,
      state: judged.state,
      prompt_source: judged.promptSource,
      cursor_x: facts.cursorX,
      cursor_y: facts.cursorY,
      history_size: facts.historySize,
      history_limit: facts.historyLimit,
      cwd: facts.cwd,
      exit_status: facts.exitStatus ?? null,
      writable: reason === null,
      not_writable_reason: reason,
    };
  });
}

/** The cursor's line, or the last one with text. */
function lastLine({ lines, facts }: PaneLook): string {
  const cursorRow = facts.historySize + facts.cursorY;
  const hasText = ({ text }: { readonly text: string }): boolean => text.trimEnd() !== "";
  const atCursor = lines.findLast(({ row }) => row <= cursorRow);
  const line = atCursor && hasText(atCursor) ? atCursor : lines.findLast(hasText);
  return line === undefined ? "" : showLine(line, maxLastLineBytes).text;
}
