import { randomUUID } from "node:crypto";
import { ReceiptsError } from "./errors.ts";
import { performOn } from "./ledger/ledger.ts";
import { MemoryTable } from "./ledger/memory-table.ts";
import type { ReceiptTable } from "./ledger/receipt-table.ts";
import type { ReceiptStore } from "./receipt-store.ts";

/** Receipts that live as long as this process. */
export function memoryStore(): ReceiptStore {
  return storeOver(new MemoryTable());
}

/** A store over a table that outlives it; only the package's own tests pass the same table twice. */
export function storeOver(table: ReceiptTable): ReceiptStore {
  let closed = false;
  return {
    owner: randomUUID(),
    perform: async (kind, request) => {
      if (closed) throw new ReceiptsError("store_unavailable", "The store is closed.");
      return performOn(table, kind, request);
    },
    health: () => (closed ? { readOnly: "The store is closed." } : "ok"),
    close: async () => {
      closed = true;
    },
  };
}
