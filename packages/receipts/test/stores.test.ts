import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { describe, expect } from "vitest";
import { memoryStore, openSqliteStore, type ReceiptStore } from "../src/index.ts";
import { storeSuite } from "./suite/index.ts";
import { callOf, counted, queryOf, receiptsOn } from "./suite/kit.ts";

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

proves("RCPT-17", "a memory store ends with its process, a SQLite store outlives it", async () => {
  const file = join(temporaryDirectory(), "receipts.db");
  const call = callOf();
  const found: number[] = [];

  for (const open of [async () => memoryStore(), () => openSqliteStore({ file })]) {
    const first = await open();
    await receiptsOn(first).runOnce(call, counted().effect);
    await first.close();
    const second = await open();
    found.push((await receiptsOn(second).find(queryOf(call))).length);
    await second.close();
  }

  expect(found).toEqual([0, 1]);
});
