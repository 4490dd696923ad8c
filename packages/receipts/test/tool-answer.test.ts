import { ToolError } from "@postern/protocol";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { answerToToolResult, memoryStore, type ReceiptAnswer } from "../src/index.ts";
import { getReceiptContract, receiptErrors } from "../src/schema.ts";
import { callOf, counted, never, queryOf, receiptsOn } from "./suite/kit.ts";

function errorOf(answer: ReceiptAnswer): ToolError {
  try {
    answerToToolResult(answer);
  } catch (error) {
    if (error instanceof ToolError) return error;
  }
  throw new Error("Expected a ToolError.");
}

test("an applied receipt is the tool's output, a replay the same", async () => {
  const receipts = receiptsOn(memoryStore());
  const call = callOf();

  const first = await receipts.runOnce(call, counted().effect);
  const again = await receipts.runOnce(call, never);

  expect(answerToToolResult(first)).toEqual({ done: true });
  expect(answerToToolResult(again)).toEqual({ done: true });
});

proves(
  ["RCPT-02", "RCPT-08"],
  "a refusal is thrown the same each time, with its own code",
  async () => {
    const receipts = receiptsOn(memoryStore());
    const call = callOf();
    const refuse = async () =>
      ({ kind: "refused", code: "busy", message: "Busy.", data: { by: "x" } }) as const;

    const [first, again] = [
      errorOf(await receipts.runOnce(call, refuse)),
      errorOf(await receipts.runOnce(call, never)),
    ];

    const data = { by: "x", requestId: call.requestId, state: "refused" };
    expect(first).toMatchObject({ code: "busy", message: "Busy.", data });
    expect(again).toMatchObject({ code: "busy", message: "Busy.", data });
  },
);

test.each<[ReceiptAnswer, object]>([
  [{ kind: "request_conflict" }, {}],
  [
    { kind: "request_limit", used: 128, max: 128 },
    { used: 128, max: 128 },
  ],
  [{ kind: "request_id_too_old" }, {}],
  [{ kind: "store_unavailable", reason: "disk full" }, { reason: "disk full" }],
  [
    { kind: "request_in_progress", state: "armed", retryAfterMs: 1_000 },
    { state: "armed", retryAfterMs: 1_000 },
  ],
])("an answer that is no receipt is thrown under its kind: $kind", (answer, data) => {
  const error = errorOf(answer);

  expect(error.code).toBe(answer.kind);
  expect(error.data).toEqual(data);
  expect(receiptErrors).toHaveProperty(answer.kind);
});

test("a result that was not kept is replayed by its summary, or by a code of its own", async () => {
  const receipts = receiptsOn(memoryStore(), { limits: { maxResultBytes: 1_024 } });
  const replay = async (summary?: string): Promise<ReceiptAnswer> => {
    const call = callOf();
    await receipts.runOnce(call, async (steps) => {
      await steps.arm();
      return { kind: "applied", result: "x".repeat(2_000), ...(summary && { summary }) };
    });
    return receipts.runOnce(call, never);
  };

  expect(answerToToolResult(await replay("short"))).toBe("short");
  expect(errorOf(await replay())).toMatchObject({
    code: "result_omitted",
    data: { state: "applied", resultBytes: 2_002 },
  });
});

proves("RCPT-07", "get_receipt's output is what find and capacity give", async () => {
  const receipts = receiptsOn(memoryStore());
  const call = callOf();
  await receipts.runOnce(call, counted().effect);
  await receipts.runOnce({ ...call, scope: { ...call.scope, tool: "send" } }, never);

  const output = {
    receipts: await receipts.find(queryOf(call)),
    capacity: await receipts.capacity("ann"),
  };

  expect(getReceiptContract.output.parse(output)).toEqual(output);
  expect(output.receipts.map(({ state }) => state)).toEqual(["applied", "not_applied"]);
  expect(Object.keys(getReceiptContract.errors)).toEqual([
    "receipt_not_found",
    "store_unavailable",
  ]);
});
