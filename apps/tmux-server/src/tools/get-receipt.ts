import { ToolError } from "@postern/protocol";
import { bindTool, type ToolBinding } from "@postern/protocol/server";
import { getReceipt } from "../contract/index.ts";
import { receiptInstance } from "../receipt-book.ts";
import type { WriteApp } from "../write-app.ts";

/** Tells what became of a requestId. */
export function getReceiptTool(app: WriteApp): ToolBinding {
  return bindTool(getReceipt, async ({ requestId, tool }, { principal }) => {
    const receipts = await app.receipts();
    const found = await receipts.find({
      principal: principal.subject,
      instance: receiptInstance,
      requestId,
      ...(tool === undefined ? {} : { tool }),
    });
    if (found.length === 0) {
      throw new ToolError("receipt_not_found", "No effect was started under this requestId.");
    }
    return { receipts: [...found], capacity: await receipts.capacity(principal.subject) };
  });
}
