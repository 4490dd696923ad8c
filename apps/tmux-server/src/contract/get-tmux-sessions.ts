import { defineTool } from "@postern/protocol";
import { z } from "zod";
import { countField, nameField, paneIdField, smallField } from "./answer-fields.ts";
import { errorsOf, tmuxCodes } from "./error-codes.ts";

const pane = z.strictObject({
  index: smallField.describe("Pane index"),
  id: paneIdField,
  width: smallField.describe("Columns"),
  height: smallField.describe("Rows"),
  active: z.boolean().describe("The window's active pane"),
  current_command: nameField.describe("Program in the pane"),
});

const window = z.strictObject({
  index: smallField.describe("Window index"),
  id: z.string().max(10).describe("tmux window id"),
  name: nameField.describe("Window name"),
  active: z.boolean().describe("The session's active window"),
  panes: z.array(pane).max(2_000).describe("Its panes"),
});

export const getTmuxSessions = defineTool({
  name: "get_tmux_sessions",
  title: "List terminal sessions",
  description:
    "Lists the tmux sessions you may see. Use it first, for names; detail adds windows and panes. Do not use it to read a terminal: read_tmux_pane. Changes nothing.",
  effect: "read",
  input: z.strictObject({
    detail: z.boolean().default(false).describe("Also list windows and panes."),
  }),
  output: z.strictObject({
    sessions: z
      .array(
        z.strictObject({
          name: nameField.describe("Session name"),
          windows: countField.describe("Windows"),
          panes: countField.describe("Panes of the active window"),
          id: z.string().max(10).describe("tmux session id"),
          total_panes: countField.describe("Panes of all windows"),
          attached: countField.describe("Terminals that show it"),
          window_list: z.array(window).max(2_000).optional().describe("With detail"),
        }),
      )
      .max(200)
      .describe("By name"),
    count: countField.describe("Sessions listed"),
    truncated: z.boolean().describe("More exist than are listed"),
  }),
  errors: errorsOf(...tmuxCodes),
});
