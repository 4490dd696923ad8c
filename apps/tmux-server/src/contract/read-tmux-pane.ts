import { defineTool } from "@postern/protocol";
import { z } from "zod";
import {
  countField,
  cursorField,
  lineField,
  paneIdField,
  targetField,
  timestampField,
} from "./answer-fields.ts";
import { errorsOf, targetCodes, tmuxCodes } from "./error-codes.ts";
import { namesOnePane, namesOnePaneIssue, targetFields } from "./target-fields.ts";

/** How the place where reading continues was found. */
export const anchors = ["new", "exact", "matched", "ambiguous", "lost", "screen"] as const;

/** How the place where reading continues was found; `screen`: a full-screen program's rows. */
export type Anchor = (typeof anchors)[number];

export const readTmuxPane = defineTool({
  name: "read_tmux_pane",
  title: "Read a terminal pane",
  description:
    "Returns the lines new in a tmux pane since your last read, in order; the first read returns what it holds. Use it to follow a terminal. Do not use it to ask whether a shell waits for input: get_pane_info. Moves your reading position; types nothing.",
  effect: "read",
  input: z
    .strictObject({
      ...targetFields,
      force_full_read: z.boolean().default(false).describe("Everything, not only news."),
      cursor: z
        .string()
        .min(1)
        .max(1_024)
        .optional()
        .describe("Read on from an earlier answer's cursor."),
      max_lines: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe("Most lines; default: buffer_size."),
      max_bytes: z
        .int()
        .min(1_024)
        .max(1_048_576)
        .default(131_072)
        .describe("Most bytes of lines."),
    })
    .refine(namesOnePane, namesOnePaneIssue),
  output: z.strictObject({
    target: targetField,
    new_lines: z.array(lineField).max(50_000).describe("Finished lines, oldest first"),
    total_lines: countField.describe("Lines numbered so far"),
    timestamp: timestampField,
    pane_id: paneIdField,
    partial_line: lineField.nullable().describe("The unfinished line at the terminal's cursor"),
    first_line: countField.nullable().describe("Number of new_lines[0]"),
    lines_missed: countField.nullable().describe("Lines lost before new_lines; null: unknown"),
    lines_remaining: countField.describe("Newer lines the next read returns"),
    lines_skipped: countField.describe("Older lines a full read left out"),
    truncated: z.boolean().describe("A limit left lines, or part of a line, out"),
    anchor: z.enum(anchors).describe("How the place to continue was found"),
    rewritten: z
      .array(
        z.strictObject({
          line: countField.describe("Line number"),
          text: lineField.describe("Its text now"),
        }),
      )
      .max(65_535)
      .describe("Lines returned before that have changed on screen"),
    alternate_screen: z
      .boolean()
      .describe("A full-screen program is shown: new_lines are its rows"),
    pane_replaced: z.boolean().describe("Another pane stands at this place since your last read"),
    cursor: cursorField,
    hidden_chars: countField.describe("Invisible characters marked ⟦hidden: n chars⟧"),
    removed_chars: countField.describe("Control and invisible characters removed or marked"),
  }),
  errors: errorsOf("invalid_cursor", ...targetCodes, ...tmuxCodes),
});
