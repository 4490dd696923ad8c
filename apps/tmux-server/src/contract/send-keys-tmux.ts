import { defineTool } from "@postern/protocol";
import { z } from "zod";
import {
  cursorField,
  nameField,
  paneIdField,
  targetField,
  timestampField,
} from "./answer-fields.ts";
import { errorsOf, targetCodes, tmuxCodes, writeCodes } from "./error-codes.ts";
import { namesOnePane, namesOnePaneIssue, targetFields } from "./target-fields.ts";
import { writeFields } from "./write-fields.ts";

export const sendKeysTmux = defineTool({
  name: "send_keys_tmux",
  title: "Press a key in a pane",
  description:
    "Presses a key in a tmux pane: C-c interrupts, C-u clears the typed line. Use it for keys and control characters. Do not use it to type text: write_tmux_pane. Refuses if the pane cannot safely take it.",
  effect: "write",
  requestId: "optional",
  input: z
    .strictObject({
      ...targetFields,
      ...writeFields,
      key: z
        .string()
        .min(1)
        .max(16)
        .describe(
          "C-a..C-z M-a..M-z Enter Escape Tab BTab BSpace Space Up Down Left Right Home End PageUp PageDown Insert Delete F1..F12.",
        ),
      repeat: z.int().min(1).max(100).default(1).describe("Times to press it."),
    })
    .refine(namesOnePane, namesOnePaneIssue),
  output: z.strictObject({
    target: targetField,
    key: nameField.describe("The key pressed"),
    timestamp: timestampField,
    pane_id: paneIdField,
    requestId: nameField.describe("Names this action"),
    repeat: z.int().min(1).max(100).describe("Times pressed"),
    left_copy_mode: z.boolean().describe("The pane was taken out of copy mode"),
    cursor: cursorField,
  }),
  errors: errorsOf("key_not_allowed", ...targetCodes, ...tmuxCodes, ...writeCodes),
});
