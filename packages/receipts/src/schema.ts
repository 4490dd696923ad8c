import { defineTool } from "@postern/protocol";
import { requestIdSchema, timestampSchema } from "@postern/protocol/schema";
import { z } from "zod";

const MAX_RECEIPTS = 1_000_000;
const code = z.string().max(64);
const scopePart = z.string().min(1).max(200);

/** A receipt as a tool shows it: the `Receipt` of this package, field by field. */
export const receiptViewSchema = z.strictObject({
  scope: z
    .strictObject({
      principal: scopePart.describe("Who asked."),
      instance: scopePart.describe("The server or project."),
      tool: scopePart.describe("The tool."),
    })
    .describe("Whose the requestId is."),
  requestId: requestIdSchema.describe("Its id."),
  fingerprint: z.string().length(64).describe("SHA-256 of the arguments."),
  state: z
    .enum(["reserved", "armed", "applied", "refused", "not_applied", "unknown"])
    .describe(
      "reserved: not started; armed: running; applied: done; not_applied: certainly not done; unknown: may be done.",
    ),
  code: code.optional().describe("Why it is so."),
  message: z.string().max(4_096).optional().describe("In a sentence."),
  data: z.record(z.string().max(256), z.unknown()).optional().describe("Details."),
  result: z.unknown().optional().describe("As first answered."),
  summary: z.unknown().optional().describe("Its short form."),
  resultBytes: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("Length of the result as JSON."),
  resultSha256: z.string().length(64).optional().describe("Its SHA-256."),
  resultOmitted: z.literal(true).optional().describe("It is not kept."),
  wasUnknown: z.literal(true).optional().describe("It was unknown at first."),
  established: z.enum(["late_report", "evidence"]).optional().describe("How that was settled."),
  createdAt: timestampSchema.describe("When accepted."),
  armedAt: timestampSchema.optional().describe("When started."),
  finishedAt: timestampSchema.optional().describe("When ended."),
});

const count = z.int().min(0).max(MAX_RECEIPTS);

/** The read tool every server with receipts offers: what became of a requestId. */
export const getReceiptContract = defineTool({
  name: "get_receipt",
  title: "Get receipt",
  description:
    "Says what became of a call, by its requestId: running, done (with its result), refused, not done, or unknown. Use it when an answer was lost, before repeating anything. Do not use it to list past calls. Changes nothing.",
  input: z.strictObject({
    requestId: requestIdSchema.describe("Of the call in question."),
    tool: scopePart.optional().describe("Only of this tool."),
  }),
  output: z.strictObject({
    receipts: z.array(receiptViewSchema).max(1_000).describe("One per tool it was used with."),
    capacity: z
      .strictObject({
        used: count.describe("Requests remembered."),
        max: count.describe("The most that can be."),
        remaining: count.describe("How many more."),
      })
      .describe("Room for requests."),
  }),
  effect: "read",
  errors: {
    receipt_not_found: "No effect was started under this requestId.",
    store_unavailable: "The receipts cannot be read now.",
  },
});

/** Codes that any tool with receipts can answer beside its own; spread it into the contract's `errors`. */
export const receiptErrors = {
  request_in_progress: "The same requestId is still running; ask again after retryAfterMs.",
  request_conflict: "The requestId was used before with other arguments; nothing was done.",
  request_limit: "No more new requests are taken; nothing was done.",
  request_id_too_old: "The requestId is older than what is remembered; nothing was done now.",
  request_id_from_future: "The requestId carries a time in the future; nothing was done.",
  store_unavailable: "The receipt could not be written; nothing was done.",
  result_omitted: "It was done; the result was too large to be kept.",
  deadline_exceeded: "The deadline passed before the effect could start; nothing was done.",
  revoked: "The permission was withdrawn before the effect could start; nothing was done.",
  not_started: "The call failed before the effect could start; nothing was done.",
  crashed_before_effect: "The server ended before the effect could start; nothing was done.",
  outcome_unknown: "The effect may have happened, wholly or in part.",
  owner_lost: "The server ended while the effect was running; it may have happened.",
} as const;
