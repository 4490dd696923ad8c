import { ToolError } from "@postern/protocol";
import { bindTool, type ToolBinding } from "@postern/protocol/server";
import type { Receipt, Receipts } from "@postern/receipts";
import { executeAndWait, getReceipt } from "../contract/index.ts";
import { receiptInstance } from "../receipt-book.ts";
import { runEvidence } from "../run-evidence.ts";
import type { WriteApp } from "../write-app.ts";

/** Tells what became of a requestId. */
export function getReceiptTool(app: WriteApp): ToolBinding {
  return bindTool(getReceipt, async ({ requestId, tool }, { principal }) => {
    const book = await app.receipts();
    const found = await book.find({
      principal: principal.subject,
      instance: receiptInstance,
      requestId,
      ...(tool === undefined ? {} : { tool }),
    });
    if (found.length === 0) {
      throw new ToolError("receipt_not_found", "No effect was started under this requestId.");
    }
    const receipts = await Promise.all(found.map(async (receipt) => settled(app, book, receipt)));
    return { receipts, capacity: await book.capacity(principal.subject) };
  });
}

/** A run that nobody saw end may have printed its marker since. */
async function settled(app: WriteApp, book: Receipts, receipt: Receipt): Promise<Receipt> {
  const { scope, requestId, state } = receipt;
  if (state !== "unknown" || scope.tool !== executeAndWait.name) return receipt;
  return book.reconcile({ scope, requestId }, (unknown) => runEvidence(app, unknown));
}
