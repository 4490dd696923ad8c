import { ReceiptsError } from "./errors.ts";
import type { ReceiptKey, ReceiptQuery } from "./receipt.ts";
import type { RowKey } from "./receipt-row.ts";
import { isUuid } from "./request-id.ts";

const MAX_SCOPE_BYTES = 200;

/** The store's key for a call. Throws `invalid_call` for a scope or id that no valid call can have. */
export function receiptKeyOf({ scope, requestId }: ReceiptKey): RowKey {
  return {
    principal: scopePart("principal", scope.principal),
    instance: scopePart("instance", scope.instance),
    tool: scopePart("tool", scope.tool),
    requestId: canonicalId(requestId),
  };
}

export function receiptQueryOf(query: ReceiptQuery): Omit<RowKey, "tool"> & { tool?: string } {
  return {
    principal: scopePart("principal", query.principal),
    instance: scopePart("instance", query.instance),
    ...(query.tool !== undefined && { tool: scopePart("tool", query.tool) }),
    requestId: canonicalId(query.requestId),
  };
}

function scopePart(name: string, value: string): string {
  const bytes = Buffer.byteLength(value);
  const isWellFormed = Buffer.from(value).toString() === value;
  const isClean = isWellFormed && !/[\u0000-\u001f\u007f-\u009f]/.test(value);
  if (bytes >= 1 && bytes <= MAX_SCOPE_BYTES && isClean) return value;
  throw new ReceiptsError(
    "invalid_call",
    `scope.${name} must have 1 to ${String(MAX_SCOPE_BYTES)} bytes without control characters; it has ${String(bytes)}.`,
  );
}

function canonicalId(requestId: string): string {
  if (isUuid(requestId)) return requestId.toLowerCase();
  throw new ReceiptsError("invalid_call", "requestId must be a UUID.");
}
