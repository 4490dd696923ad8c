import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ReceiptAnswer } from "../src/index.ts";
import { callOf } from "./suite/kit.ts";
import { doWork, type PlannedCall } from "./work.ts";

export function planned(
  count: number,
  how: Partial<PlannedCall> = {},
  over: Partial<PlannedCall["call"]> = {},
): PlannedCall[] {
  return Array.from({ length: count }, () => ({ call: callOf(over), ...how }));
}

/** A closed store with one receipt and the caller's own tables in it, to be copied for each experiment. */
export async function preparedStore(directory: string): Promise<string> {
  const file = join(directory, "template", "receipts.db");
  await doWork({ file, log: join(directory, "template.log"), calls: planned(1) }, () => undefined);
  const database = new DatabaseSync(file);
  database.exec(
    "CREATE TABLE audit (id TEXT, what TEXT); CREATE TABLE meta (open INTEGER); INSERT INTO meta VALUES (1)",
  );
  database.close();
  return file;
}

/** What a later answer to the same call shows to have gone wrong, given how often the effect was logged. */
export function faultsOf(
  first: ReceiptAnswer | undefined,
  again: ReceiptAnswer | undefined,
  [before, after]: readonly [number, number],
): string[] {
  const state = stateOf(again);
  const wrong: string[] = [];
  if (after > 1) wrong.push("double effect");
  if (state === "applied" && after !== 1) wrong.push("applied without an effect");
  if (before > 0 && ["not_applied", "refused"].includes(state)) wrong.push("false not_applied");
  if (first?.kind !== "receipt" || !first.stored) return wrong;
  if (again?.kind === "receipt") {
    const isSame = JSON.stringify(again.receipt) === JSON.stringify(first.receipt);
    if (!isSame && again.receipt.resultOmitted !== true) wrong.push("answered otherwise");
  } else if (state !== "request_id_too_old") {
    wrong.push(`lost receipt: ${state}`);
  }
  return wrong;
}

/** The caller's rows commit with the arming and the outcome, or not at all. */
export function auditFaults(file: string): string[] {
  const database = new DatabaseSync(file);
  const rows = database
    .prepare(
      `SELECT r.state, count(*) FILTER (WHERE a.what = 'started') AS started,
          count(*) FILTER (WHERE a.what = 'ended') AS ended
        FROM audit a LEFT JOIN postern_receipts r ON r.request_id = a.id GROUP BY a.id`,
    )
    .all();
  database.close();
  return rows.flatMap(({ state, started, ended }) => {
    const whole = started === 1 && ended === (state === "applied" ? 1 : 0);
    return whole ? [] : [`audit of ${String(state)}: ${String(started)}, ${String(ended)}`];
  });
}

export function stateOf(answer: ReceiptAnswer | undefined): string {
  if (answer === undefined) return "no answer";
  return answer.kind === "receipt" ? answer.receipt.state : answer.kind;
}
