import { defineTool } from "@postern/protocol";
import { z } from "zod";
import {
  countField,
  lineField,
  nameField,
  paneIdField,
  paneStateField,
  smallField,
  targetField,
} from "./answer-fields.ts";
import { errorsOf, targetCodes, tmuxCodes } from "./error-codes.ts";
import { namesOnePane, namesOnePaneIssue, targetFields } from "./target-fields.ts";

export const getPaneInfo = defineTool({
  name: "get_pane_info",
  title: "Inspect a terminal pane",
  description:
    "Tells what a tmux pane does: program, prompt, last line, whether a write would be accepted. Use it before writing. Do not use it to follow output: read_tmux_pane. Changes nothing.",
  effect: "read",
  input: z.strictObject(targetFields).refine(namesOnePane, namesOnePaneIssue),
  output: z.strictObject({
    target: targetField,
    width: smallField.describe("Columns"),
    height: smallField.describe("Rows"),
    current_command: nameField.describe("Program in the pane"),
    active: z.boolean().describe("The window's active pane"),
    prompt_detected: z.boolean().describe("A prompt waits for input"),
    command_running: z.boolean().describe("A command runs"),
    last_line: lineField.describe("The cursor's, or the last not blank"),
    pane_id: paneIdField,
    session_id: z.string().max(10).describe("tmux session id"),
    window_id: z.string().max(10).describe("tmux window id"),
    state: paneStateField.describe("The first that fits"),
    prompt_source: z
      .enum(["shell", "text", "none"])
      .describe("What showed a prompt: a shell, text alone"),
    cursor_x: smallField.describe("Column, from 0"),
    cursor_y: smallField.describe("Row, from 0"),
    history_size: countField.describe("Rows above the screen"),
    history_limit: countField.describe("Most rows tmux keeps"),
    cwd: nameField.describe("Working directory"),
    exit_status: z.int().min(0).max(65_535).nullable().describe("Of a dead pane"),
    writable: z.boolean().describe("A write would be accepted now"),
    not_writable_reason: z.string().max(64).nullable().describe("The code a write would answer"),
  }),
  errors: errorsOf(...targetCodes, ...tmuxCodes),
});
