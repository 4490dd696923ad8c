import { defineTool } from "@postern/protocol";
import { z } from "zod";
import {
  countField,
  cursorField,
  nameField,
  paneIdField,
  targetField,
  timestampField,
} from "./answer-fields.ts";
import { errorsOf, targetCodes, tmuxCodes, writeCodes } from "./error-codes.ts";
import { namesOnePane, namesOnePaneIssue, targetFields } from "./target-fields.ts";
import { writeFields } from "./write-fields.ts";

export const writeTmuxPane = defineTool({
  name: "write_tmux_pane",
  title: "Type text into a pane",
  description:
    'Types text into a tmux pane; each newline presses Enter, so "ls\\n" runs ls. Use it to answer a program. Do not use it for a command and its output (execute_and_wait) or keys (send_keys_tmux). Refuses if the pane cannot safely take it.',
  effect: "write",
  requestId: "optional",
  input: z
    .strictObject({
      ...targetFields,
      ...writeFields,
      text: z
        .string()
        .min(1)
        .max(60_000)
        .describe("At most 60000 bytes; no control characters but tab, newline."),
      wait_for_prompt: z.boolean().default(false).describe("Wait for a quiet prompt."),
      timeout: z.int().min(1).max(60).default(10).describe("Seconds to wait for it."),
      paste: z.boolean().default(false).describe("One block; only trailing newlines press Enter."),
    })
    .refine(namesOnePane, namesOnePaneIssue),
  output: z.strictObject({
    target: targetField,
    sent: z.string().max(4_096).describe("The text that was typed"),
    timestamp: timestampField,
    pane_id: paneIdField,
    requestId: nameField.describe("Names this action"),
    sent_bytes: countField.describe("Bytes typed"),
    sent_sha256: z.string().max(64).describe("SHA-256 of the text"),
    sent_truncated: z.boolean().describe("sent shows only the beginning"),
    left_copy_mode: z.boolean().describe("The pane was taken out of copy mode"),
    cursor: cursorField,
  }),
  errors: errorsOf(
    "text_too_long",
    "command_not_allowed",
    ...targetCodes,
    ...tmuxCodes,
    ...writeCodes,
  ),
});
