import { defineTool } from "@postern/protocol";
import { z } from "zod";
import { countField, nameField } from "./answer-fields.ts";
import { errorsOf } from "./error-codes.ts";

export const clearBuffer = defineTool({
  name: "clear_buffer",
  title: "Forget reading positions",
  description:
    "Forgets your reading position in one pane or all; the next read_tmux_pane returns everything. Use it to start over. Do not use it to clear a screen: nothing in tmux changes.",
  effect: "read",
  input: z.strictObject({
    target: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('A pane like "session:0.0" or "%5"; default: all.'),
  }),
  output: z.strictObject({
    cleared: nameField.describe('The target, or "all"'),
    count: countField.describe("Positions forgotten"),
  }),
  errors: errorsOf(),
});
