import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { openPrivateDirectory } from "@postern/endpoint-auth";
import { ToolError } from "@postern/protocol";
import { createReceipts, openSqliteStore, type Receipts } from "@postern/receipts";
import type { Log } from "./log.ts";

/** What a receipt belongs to besides its tool: one store per user, whatever tmux it is about. */
export const receiptInstance = "tmux";

/** The receipts of this user, opened when something first needs them. */
export interface ReceiptBook {
  /** @throws ToolError `store_unavailable`; the next call tries again. */
  open(): Promise<Receipts>;
  close(): Promise<void>;
}

const limits = {
  maxReceipts: 100_000,
  maxResultBytes: 262_144,
  joinMs: 300_000,
  eviction: "fenced",
} as const;

/** The receipts in a directory that only this user can enter. */
export function receiptBook(directory: string, log: Log): ReceiptBook {
  let opened: Promise<Receipts> | undefined;

  async function open(): Promise<Receipts> {
    const place = await openPrivateDirectory(directory);
    if (place.kind === "refused") throw new Error(place.message);
    const store = await openSqliteStore({ file: receiptFile(directory) });
    return createReceipts(store, {
      now: () => Date.now(),
      monotonicNow: () => performance.now(),
      newAttempt: () => randomUUID(),
      limits,
    });
  }

  return {
    async open() {
      opened ??= open();
      try {
        return await opened;
      } catch (error) {
        opened = undefined;
        log("error", "store_unavailable", { directory, reason: String(error) });
        throw new ToolError(
          "store_unavailable",
          "The receipt store cannot be opened; nothing was done.",
          {
            cause: error,
            data: { reason: error instanceof Error ? error.message : String(error) },
          },
        );
      }
    },
    async close() {
      const receipts = await opened?.catch(() => undefined);
      await receipts?.close();
    },
  };
}

/** Where the receipts of a state directory are. */
export function receiptFile(directory: string): string {
  return join(directory, "receipts.sqlite");
}
