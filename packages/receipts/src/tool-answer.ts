import { ToolError, type JsonObject, type JsonValue } from "@postern/protocol";
import type { Receipt, ReceiptAnswer } from "./receipt.ts";

type OtherAnswer = Exclude<ReceiptAnswer, { kind: "receipt" }>;

/**
 * What a write tool answers: the applied result (or the summary, where the result is no longer kept), or a
 * thrown `ToolError` whose code is the receipt's own or the kind of the answer.
 */
export function answerToToolResult(answer: ReceiptAnswer): JsonValue {
  if (answer.kind !== "receipt") {
    const { kind, ...data } = answer;
    throw new ToolError(kind, otherSentences[kind], { data });
  }
  const { receipt } = answer;
  if (receipt.state === "applied") return appliedResult(receipt);
  // Of anything but a refusal, the data is a note made when the effect began, for whoever settles it later.
  const data = receipt.state === "refused" ? receipt.data : {};
  throw new ToolError(receipt.code ?? "outcome_unknown", receipt.message ?? receipt.state, {
    data: { ...data, ...about(answer) },
  });
}

function appliedResult(receipt: Receipt): JsonValue {
  const kept = receipt.result === undefined ? receipt.summary : receipt.result;
  if (kept !== undefined) return kept;
  const { requestId, resultBytes = 0, resultSha256 = "" } = receipt;
  throw new ToolError("result_omitted", "It was done; the result was too large to be kept.", {
    data: { requestId, state: "applied", resultBytes, resultSha256 },
  });
}

function about(answer: Extract<ReceiptAnswer, { kind: "receipt" }>): JsonObject {
  // Nothing here tells a replay from the first answer, so that a refusal is repeated byte for byte.
  const { receipt, stored } = answer;
  return {
    requestId: receipt.requestId,
    state: receipt.state,
    ...(!stored && { stored }),
  };
}

const otherSentences: Readonly<Record<OtherAnswer["kind"], string>> = {
  request_in_progress:
    "This requestId is still running. Ask again with the same requestId after retryAfterMs.",
  request_conflict: "This requestId was used with other arguments. Nothing was done.",
  request_limit: "No more new requests are taken. Known requestIds are still answered.",
  request_id_too_old:
    "This requestId is older than what is remembered, so it may have run before. Nothing was done now.",
  request_id_from_future: "This requestId carries a time in the future. Nothing was done.",
  store_unavailable: "The receipt could not be written, so nothing was done.",
};
