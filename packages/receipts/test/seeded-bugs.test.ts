import { expect, test } from "vitest";
import type { ReceiptStore } from "../src/index.ts";
import { MemoryTable } from "../src/ledger/memory-table.ts";
import { storeOver } from "../src/memory-store.ts";
import type { ReceiptRow, RowKey } from "../src/receipt-row.ts";
import { storeSuite } from "./suite/index.ts";

/** The widespread mistake of freeing the key when the work fails, "so that it can be tried again". */
function claimDeletedOnThrow(): ReceiptStore {
  class Table extends MemoryTable {
    override replace(stored: ReceiptRow, row: ReceiptRow): void {
      if (row.code === "not_started" || row.code === "outcome_unknown") this.remove(stored);
      else super.replace(stored, row);
    }
  }
  return storeOver(new Table());
}

/** The record dies with the lease that was meant to keep others away while the work runs. */
function oneLifetime(): ReceiptStore {
  const LEASE_MS = 1_800_000;
  const table = new MemoryTable();
  const store = storeOver(table);
  return {
    ...store,
    perform: (kind, request) => {
      if ("row" in request && "now" in request) {
        const row = table.get(request.row);
        if (row !== undefined && request.now - row.createdAt > LEASE_MS) table.remove(row);
      }
      return store.perform(kind, request);
    },
  };
}

/** Rows are looked up in a cache of the latest ones, and what it does not hold is taken for free. */
function cacheHoleReadAsFree(): ReceiptStore {
  class Table extends MemoryTable {
    readonly #cached: string[] = [];
    override get(key: RowKey): ReceiptRow | undefined {
      return this.#cached.includes(key.requestId) ? super.get(key) : undefined;
    }
    override insert(row: ReceiptRow): void {
      super.insert(row);
      this.#cached.push(row.requestId);
      if (this.#cached.length > 100) this.#cached.shift();
    }
  }
  return storeOver(new Table());
}

/** An end state is written over by whoever reports last. */
function lastReportWins(): ReceiptStore {
  const table = new MemoryTable();
  const store = storeOver(table);
  return {
    ...store,
    perform: async (kind, request) => {
      if ("key" in request) {
        const row = table.get(request.key);
        if (row !== undefined) table.replace(row, { ...row, state: "unknown" });
      }
      return store.perform(kind, request);
    },
  };
}

test.each([
  ["a claim that is deleted on a throw", claimDeletedOnThrow, "a throw before arming"],
  ["one lifetime for claim and record", oneLifetime, "a repeat is answered by the original"],
  ["a cache hole read as a free key", cacheHoleReadAsFree, "of a thousand new ids at once"],
  ["an ending written over by a later one", lastReportWins, "settled by evidence exactly once"],
])("the store suite catches %s", async (_bug, openStore, titlePart) => {
  const failed: string[] = [];

  await Promise.all(
    storeSuite.map(async ({ title, body }) => {
      await body(openStore()).catch(() => failed.push(title));
    }),
  );

  expect(failed.join("\n")).toContain(titlePart);
});

test("the store suite passes on the same store without a bug", async () => {
  await Promise.all(storeSuite.map(({ body }) => body(storeOver(new MemoryTable()))));

  expect(storeSuite.length).toBeGreaterThan(25);
});
