import type { JsonObject } from "@postern/protocol";
import type { Receipt, Receipts } from "@postern/receipts";
import { safeLine } from "@postern/terminal-text";
import { receiptInstance } from "./receipt-book.ts";

export interface LogOptions {
  /** How many of the newest writes. */
  readonly last: number;
  /** One JSON object per line instead of columns. */
  readonly json: boolean;
}

/** The newest writes as lines, oldest first: when, who, with what, where, what became of it, and how much; never the text. */
export async function receiptLog(
  receipts: Pick<Receipts, "list">,
  { last, json }: LogOptions,
): Promise<string> {
  const found = await receipts.list({ instance: receiptInstance, last });
  const entries = found.map(entryOf);
  const lines = json ? entries.map((entry) => JSON.stringify(entry)) : entries.map(columns);
  return lines.map((line) => `${line}\n`).join("");
}

function entryOf(receipt: Receipt): Readonly<Record<string, string | number | null>> {
  const { scope, requestId, state, code, data, createdAt } = receipt;
  return {
    time: createdAt,
    caller: scope.principal,
    tool: scope.tool,
    target: noted(data, "target"),
    outcome: code === undefined ? state : `${state}: ${code}`,
    requestId,
    bytes: noted(data, "bytes"),
    sha256: noted(data, "sha256"),
  };
}

/** A write that was refused early has nothing noted. */
function noted(data: JsonObject | undefined, field: string): string | number | null {
  const value = data?.[field];
  return typeof value === "string" || typeof value === "number" ? value : null;
}

function columns(entry: ReturnType<typeof entryOf>): string {
  return Object.values(entry)
    .map((value) => (value === null ? "-" : safeLine(String(value), { maxChars: 300 })))
    .join("  ");
}
