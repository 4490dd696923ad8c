import { z } from "zod";
import { deliveries } from "../delivery.ts";

/** The id under which an effect runs at most once: a UUID in canonical lower case. */
export const requestIdSchema = z
  .string()
  .length(36)
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  .describe(
    "Id of this attempt, a lower-case UUID. The same id again returns the first answer and runs nothing.",
  );

/** A moment in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const timestampSchema = z.iso
  .datetime({ precision: 3 })
  .max(24)
  .describe("A moment in UTC, as in 2026-01-31T12:00:00.000Z.");

/** Whether a call reached the other side and may have run. */
export const deliverySchema = z
  .enum(deliveries)
  .describe("Whether the call may have run: not_sent and rejected did not, unknown may have.");

/** Says that a list or text was cut, and by how much. */
export const truncationSchema = z.strictObject({
  truncated: z.boolean().describe("Whether anything is missing."),
  omittedBytes: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .describe("Bytes of UTF-8 that are missing."),
});

/** The structured content of every refusal. */
export const errorResultSchema = z.strictObject({
  error: z
    .strictObject({
      code: z
        .string()
        .max(64)
        .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
        .describe("Stable code; test this, not the message."),
      message: z.string().max(4096).describe("What is wrong, what was found, what to do."),
      data: z.record(z.string().max(256), z.json()).describe("Details that belong to the code."),
    })
    .describe("The refusal."),
});
