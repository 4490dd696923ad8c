import { z } from "zod";

const index = z.int().min(0).max(65_535).optional();

/** The fields that name a pane in a tool's input; `namesOnePane` checks them together. */
export const targetFields = {
  session: z.string().min(1).max(256).optional().describe("Exact name."),
  window: index.describe("Index; default: lowest."),
  pane: index.describe("Index; default: lowest."),
  pane_id: z
    .string()
    .regex(/^%\d{1,9}$/)
    .max(10)
    .optional()
    .describe('Like "%5"; instead of session.'),
};

/** What a call said about the pane it means. */
export interface PaneAddress {
  readonly session?: string | undefined;
  readonly window?: number | undefined;
  readonly pane?: number | undefined;
  readonly pane_id?: string | undefined;
}

/** Whether a session or a pane id is there; an input schema refines itself with it. */
export function namesOnePane(address: PaneAddress): boolean {
  return address.session !== undefined || address.pane_id !== undefined;
}

/** The refinement's message and place. */
export const namesOnePaneIssue = { message: "session or pane_id is required", path: ["session"] };
