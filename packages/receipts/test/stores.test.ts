import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { describe } from "vitest";
import { memoryStore, openSqliteStore, type ReceiptStore } from "../src/index.ts";
import { storeSuite } from "./suite/index.ts";

const stores: Record<string, () => Promise<ReceiptStore>> = {
  memory: async () => memoryStore(),
  sqlite: () => openSqliteStore({ file: join(temporaryDirectory(), "receipts.db") }),
};

describe.each(Object.entries(stores))("%s store", (_name, open) => {
  for (const { ids, title, body } of storeSuite) {
    proves(ids, title, async () => {
      const store = await open();
      try {
        await body(store);
      } finally {
        await store.close();
      }
    });
  }
});
