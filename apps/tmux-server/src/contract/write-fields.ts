import { requestIdSchema } from "@postern/protocol/schema";
import { z } from "zod";

/** The fields every tool that types into a pane takes. */
export const writeFields = {
  requestId: requestIdSchema
    .optional()
    .describe("New lower-case UUID per action; a repeat returns the first answer."),
  auth_token: z.string().min(1).max(512).optional().describe("If the configuration has one."),
  leave_copy_mode: z.boolean().default(false).describe("Leave copy mode first."),
};
