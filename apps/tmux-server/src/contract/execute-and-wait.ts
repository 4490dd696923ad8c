import { defineTool } from "@postern/protocol";
import { z } from "zod";
import {
  countField,
  cursorField,
  lineField,
  nameField,
  paneIdField,
  targetField,
  timestampField,
} from "./answer-fields.ts";
import { errorsOf, targetCodes, tmuxCodes, writeCodes } from "./error-codes.ts";
import { namesOnePane, namesOnePaneIssue, targetFields } from "./target-fields.ts";
import { writeFields } from "./write-fields.ts";

/** How a run ended, as far as this server can know. */
export const runOutcomes = [
  "completed",
  "timeout",
  "needs_user_input",
  "incomplete_input",
  "pane_gone",
  "unknown",
] as const;

/** How a run ended. */
export type RunOutcomeWord = (typeof runOutcomes)[number];

export const executeAndWait = defineTool({
  name: "execute_and_wait",
  title: "Run a command in a pane",
  description:
    "Runs a command in a tmux pane's shell, waits, returns output and exit code; cd and variables stay. Use it for commands that end. Do not use it for servers or to answer a program: write_tmux_pane. A timeout leaves it running. Refuses unless the shell waits at an empty prompt.",
  effect: "write",
  requestId: "optional",
  input: z
    .strictObject({
      ...targetFields,
      ...writeFields,
      command: z.string().min(1).max(32_768).describe("At most 32768 bytes."),
      timeout: z.int().min(1).max(300).default(30).describe("Seconds to wait."),
      wait_for_prompt: z.boolean().default(false).describe("Wait for a prompt first."),
      on_timeout: z
        .enum(["leave", "interrupt"])
        .default("leave")
        .describe("interrupt: press C-c once."),
      method: z
        .enum(["auto", "prompt"])
        .default("auto")
        .describe("prompt: for interpreters; no exit code."),
      shell: z.enum(["posix", "zsh", "fish"]).optional().describe("Shell in ssh or a container."),
      max_lines: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe("Newest lines; default: buffer_size."),
      max_bytes: z
        .int()
        .min(1_024)
        .max(1_048_576)
        .default(131_072)
        .describe("Most bytes of output."),
    })
    .refine(namesOnePane, namesOnePaneIssue),
  output: z.strictObject({
    target: targetField,
    pane_id: paneIdField,
    command: z.string().max(32_768).describe("The command"),
    outcome: z.enum(runOutcomes).describe("How the run ended; timeout: it still runs"),
    exit_code: z.int().min(0).max(255).nullable().describe("What the shell said; null: unknown"),
    output_lines: z.array(lineField).max(50_000).describe("Its output"),
    output_skipped: countField.nullable().describe("Older output lines left out; null: unknown"),
    truncated: z.boolean().describe("Output was, or may have been, left out"),
    ends_without_newline: z.boolean().describe("The last line was not finished"),
    method: z.enum(["marker", "prompt"]).describe("How the end was seen"),
    interrupted: z.boolean().describe("C-c was pressed"),
    duration_ms: countField.nullable().describe("Milliseconds; null: not watched to its end"),
    requestId: nameField.describe("Names this action"),
    cursor: cursorField,
    timestamp: timestampField,
  }),
  errors: errorsOf(
    "text_too_long",
    "command_not_allowed",
    "not_a_shell",
    ...targetCodes,
    ...tmuxCodes,
    ...writeCodes,
  ),
});
