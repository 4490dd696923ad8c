import type {
  AdmissionRefusal,
  OperationKind,
  StoreOperations,
  Superseded,
} from "../receipt-store.ts";
import {
  isPending,
  plainOutcome,
  type ReceiptRow,
  type RowOutcome,
  withOutcome,
} from "../receipt-row.ts";
import { sentenceOf } from "../sentences.ts";
import { admit, steadyWall, totalUsed, usage } from "./admission.ts";
import type { ReceiptTable } from "./receipt-table.ts";

type Reply<K extends OperationKind> = StoreOperations[K]["reply"];
type Request<K extends OperationKind> = StoreOperations[K]["request"];

// Writing the latest wall time with every claim would cost a page each; a minute is enough to be safe.
const WALL_STEP_MS = 60_000;

/**
 * Carries out one operation on the table. The caller makes it atomic. No operation turns an ended row into a
 * pending one, and only `admit` removes rows.
 */
export function performOn<K extends OperationKind>(
  table: ReceiptTable,
  kind: K,
  request: Request<K>,
): Reply<K> {
  return operations[kind](table, request);
}

const operations: { [K in OperationKind]: (table: ReceiptTable, request: Request<K>) => Reply<K> } =
  { claim, arm, finish, settle, find, list, capacity, fence, bury };

function claim(table: ReceiptTable, request: Request<"claim">): Reply<"claim"> {
  const held = table.get(request.row);
  if (held !== undefined) return { kind: "held", row: held };
  const refusal = admit(table, request, request.reserve);
  if (refusal !== undefined) return refusal;
  if (request.reserve) put(table, undefined, request.row, request.now);
  const unwritten = request.reserve ? 0 : 1;
  return { kind: "claimed", used: totalUsed(table, request.limits) + unwritten };
}

function arm(table: ReceiptTable, request: Request<"arm">): Reply<"arm"> {
  const { row, now } = request;
  const held = table.get(row);
  if (held !== undefined && held.attempt !== row.attempt) return { kind: "held", row: held };
  if (held !== undefined && held.state !== "reserved") return { kind: "superseded" };
  const refusal = held === undefined ? letIn(table, request) : undefined;
  if (refusal !== undefined) return refusal;
  if (request.require !== undefined && !table.givesRow(request.require)) {
    return { kind: "requirement_failed" };
  }
  table.runAlongside(request.alongside ?? []);
  put(table, held, { ...row, state: "armed", armedAt: now }, now);
  return { kind: "armed" };
}

function finish(table: ReceiptTable, request: Request<"finish">): Reply<"finish"> {
  const { row, outcome, now } = request;
  const held = table.get(row);
  if (held !== undefined && held.attempt !== row.attempt) return { kind: "held", row: held };
  if (held !== undefined && !isPending(held) && !mayRefine(held, outcome)) {
    return { kind: "superseded" };
  }
  const refusal = held === undefined ? letIn(table, request) : undefined;
  if (refusal !== undefined) return refusal;
  table.runAlongside(request.alongside ?? []);
  const ended = end(held ?? row, outcome, now, "late_report");
  put(table, held, ended, now);
  trimResults(table, request.limits.maxStoreBytes);
  return { kind: "finished", refined: ended.wasUnknown };
}

function settle(table: ReceiptTable, request: Request<"settle">): Reply<"settle"> {
  const held = table.get(request.key);
  if (held === undefined || !mayRefine(held, request.outcome)) return { row: held };
  const row = end(held, request.outcome, request.now, "evidence");
  table.replace(held, row);
  trimResults(table, request.maxStoreBytes);
  return { row };
}

function find(table: ReceiptTable, request: Request<"find">): Reply<"find"> {
  const rows = table.find(request);
  const { tool } = request;
  return { rows: tool === undefined ? rows : rows.filter((row) => row.tool === tool) };
}

function list(table: ReceiptTable, { instance, last }: Request<"list">): Reply<"list"> {
  return { rows: table.newest(instance, last) };
}

function capacity(table: ReceiptTable, request: Request<"capacity">): Reply<"capacity"> {
  return usage(table, request.principal, request.limits);
}

function fence(table: ReceiptTable, { now }: Request<"fence">): Reply<"fence"> {
  table.setMark("lowWater", Math.max(table.mark("lowWater"), steadyWall(table, now)));
  return { done: true };
}

function bury(table: ReceiptTable, { owner, now }: Request<"bury">): Reply<"bury"> {
  for (const row of table.pendingOf(owner)) {
    const [state, code] =
      row.state === "armed"
        ? (["unknown", "owner_lost"] as const)
        : (["not_applied", "crashed_before_effect"] as const);
    const lost = plainOutcome(state, code, sentenceOf(code));
    table.replace(row, { ...withOutcome(row, lost), finishedAt: now });
  }
  return { done: true };
}

/** A row that is not there: the first write of this attempt, or one that was lost, which must not go on. */
function letIn(
  table: ReceiptTable,
  request: Request<"arm"> | Request<"finish">,
): AdmissionRefusal | Superseded | undefined {
  if (request.reserve) return { kind: "superseded" };
  return admit(table, request, true);
}

function put(
  table: ReceiptTable,
  held: ReceiptRow | undefined,
  row: ReceiptRow,
  now: number,
): void {
  if (held !== undefined) {
    table.replace(held, row);
    return;
  }
  table.insert(row);
  if (now >= table.mark("maxSeenWall") + WALL_STEP_MS) table.setMark("maxSeenWall", now);
}

/** Ends a pending row, or refines an `unknown` one and says how its outcome was established. */
function end(
  row: ReceiptRow,
  outcome: RowOutcome,
  now: number,
  established: "late_report" | "evidence",
): ReceiptRow {
  const ended: ReceiptRow = { ...withOutcome(row, outcome), finishedAt: now };
  return isPending(row) ? ended : { ...ended, wasUnknown: true, established };
}

function mayRefine(row: ReceiptRow, outcome: RowOutcome): boolean {
  return row.state === "unknown" && outcome.state !== "unknown";
}

function trimResults(table: ReceiptTable, maxBytes: number): void {
  while (table.resultBytes() > maxBytes) table.omitOldestResult();
}
