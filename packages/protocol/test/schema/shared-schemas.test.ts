import { expect, test } from "vitest";
import { z } from "zod";
import { ToolError, toolErrorToResult } from "../../src/index.ts";
import {
  deliverySchema,
  errorResultSchema,
  requestIdSchema,
  timestampSchema,
  truncationSchema,
} from "../../src/schema/index.ts";

test.each([
  ["0190a5f0-1c2d-7abc-8def-0123456789ab", true],
  ["123e4567-e89b-42d3-a456-426614174000", true],
  ["0190A5F0-1C2D-7ABC-8DEF-0123456789AB", false],
  ["0190a5f01c2d7abc8def0123456789ab", false],
  ["00000000-0000-0000-0000-000000000000", false],
  ["{0190a5f0-1c2d-7abc-8def-0123456789ab}", false],
  ["0190a5f0-1c2d-7abc-8def-0123456789ab\n", false],
  [7, false],
])("requestId %j is accepted: %s", (id, accepted) => {
  expect(requestIdSchema.safeParse(id).success).toBe(accepted);
});

test.each([
  ["2026-01-31T12:00:00.000Z", true],
  [new Date(0).toISOString(), true],
  ["2026-01-31T12:00:00Z", false],
  ["2026-01-31T12:00:00.000+01:00", false],
  ["2026-02-30T12:00:00.000Z", false],
  ["2026-01-31", false],
])("timestamp %j is accepted: %s", (timestamp, accepted) => {
  expect(timestampSchema.safeParse(timestamp).success).toBe(accepted);
});

test("every refusal of ours fits the schema of refusals", () => {
  const result = toolErrorToResult(new ToolError("not_found", "No.", { data: { at: [1, null] } }));

  expect(errorResultSchema.safeParse(result.structuredContent).success).toBe(true);
  expect(errorResultSchema.safeParse({ error: { code: "x", message: "" } }).success).toBe(false);
});

test("truncation counts what is missing, never less than nothing", () => {
  expect(truncationSchema.safeParse({ truncated: true, omittedBytes: 3 }).success).toBe(true);
  expect(truncationSchema.safeParse({ truncated: true, omittedBytes: -1 }).success).toBe(false);
});

test("the four delivery words, and the JSON Schema shows them", () => {
  expect(z.toJSONSchema(deliverySchema).enum).toEqual([
    "not_sent",
    "rejected",
    "unknown",
    "delivered",
  ]);
});
