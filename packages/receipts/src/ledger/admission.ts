import type { Admission, AdmissionRefusal } from "../receipt-store.ts";
import { requestIdKind, stampOf, type RequestIdKind } from "../request-id.ts";
import type { ReceiptRow } from "../receipt-row.ts";
import type { ReceiptTable } from "./receipt-table.ts";

const MAX_AHEAD_MS = 300_000;
const COUNTED: readonly RequestIdKind[] = ["plain", "stamped"];
const ALL: readonly RequestIdKind[] = ["plain", "stamped", "minted"];

/**
 * Decides whether a key that the table does not hold may be inserted. With `evict` it makes the room for it,
 * without it only says whether room could be made.
 */
export function admit(
  table: ReceiptTable,
  admission: Admission,
  evict: boolean,
): AdmissionRefusal | undefined {
  const { limits, row } = admission;
  if (limits.eviction === "never") {
    return (
      share(table, ALL, row.principal, limits.maxReceiptsPerPrincipal) ??
      share(table, ALL, undefined, limits.maxReceipts)
    );
  }
  const kind = requestIdKind(row.requestId);
  if (kind === "minted") return admitMinted(table, admission, evict);
  if (kind === "stamped") return admitStamped(table, admission, evict);
  // Plain ids can never be dropped safely, so they get half of each share and no more.
  return (
    share(table, ["plain"], row.principal, Math.floor(limits.maxReceiptsPerPrincipal / 2)) ??
    share(table, ["plain"], undefined, Math.floor(limits.maxReceipts / 2)) ??
    makeRoom(table, admission, evict)
  );
}

/** How much of its share a principal has used, by the same counts that `admit` goes by. */
export function usage(
  table: ReceiptTable,
  principal: string,
  limits: Admission["limits"],
): { used: number; max: number; remaining: number } {
  const used = table.count(countedKinds(limits), principal);
  const max = Math.min(limits.maxReceiptsPerPrincipal, limits.maxReceipts);
  const remaining = Math.min(max - used, limits.maxReceipts - totalUsed(table, limits));
  return { used, max, remaining: Math.max(0, remaining) };
}

export function totalUsed(table: ReceiptTable, limits: Admission["limits"]): number {
  return table.count(countedKinds(limits));
}

/** The wall clock, never behind what the table has already seen. */
export function steadyWall(table: ReceiptTable, now: number): number {
  return Math.max(now, table.mark("maxSeenWall"));
}

function countedKinds({ eviction }: Admission["limits"]): readonly RequestIdKind[] {
  return eviction === "never" ? ALL : COUNTED;
}

function admitMinted(
  table: ReceiptTable,
  { limits, justMinted }: Admission,
  evict: boolean,
): AdmissionRefusal | undefined {
  // Not held and not made for this call: its receipt is gone, and it may have run.
  if (!justMinted) return { kind: "request_id_too_old" };
  return room(table, ["minted"], limits.maxMinted, "minted", undefined, evict);
}

function admitStamped(
  table: ReceiptTable,
  admission: Admission,
  evict: boolean,
): AdmissionRefusal | undefined {
  const stamp = stampOf(admission.row.requestId);
  if (stamp <= table.mark("lowWater")) return { kind: "request_id_too_old" };
  if (stamp > steadyWall(table, admission.now) + MAX_AHEAD_MS) {
    return { kind: "request_id_from_future" };
  }
  return makeRoom(table, admission, evict);
}

function makeRoom(
  table: ReceiptTable,
  { limits, row: { principal } }: Admission,
  evict: boolean,
): AdmissionRefusal | undefined {
  return (
    room(table, COUNTED, limits.maxReceiptsPerPrincipal, "stamped", principal, evict) ??
    room(table, COUNTED, limits.maxReceipts, "stamped", undefined, evict)
  );
}

/** Below `max`, or brought below it by dropping the oldest ended rows of the kind that may go. */
function room(
  table: ReceiptTable,
  kinds: readonly RequestIdKind[],
  max: number,
  droppable: "stamped" | "minted",
  principal: string | undefined,
  evict: boolean,
): AdmissionRefusal | undefined {
  for (;;) {
    const refusal = share(table, kinds, principal, max);
    if (refusal === undefined) return undefined;
    const oldest = table.oldestEnded(droppable, principal);
    if (oldest === undefined) return refusal;
    if (!evict) return undefined;
    drop(table, oldest);
  }
}

function share(
  table: ReceiptTable,
  kinds: readonly RequestIdKind[],
  principal: string | undefined,
  max: number,
): AdmissionRefusal | undefined {
  const used = table.count(kinds, principal);
  return used >= max ? { kind: "request_limit", used, max } : undefined;
}

function drop(table: ReceiptTable, row: ReceiptRow): void {
  // The water mark rises in the same transaction, so the dropped id can never be let in again.
  if (requestIdKind(row.requestId) === "stamped") {
    table.setMark("lowWater", Math.max(table.mark("lowWater"), stampOf(row.requestId)));
  }
  table.remove(row);
}
