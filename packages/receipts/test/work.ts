import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import {
  createReceipts,
  openSqliteStore,
  type EffectResult,
  type EffectSteps,
  type ReceiptAnswer,
  type ReceiptCall,
  type ReceiptLimits,
  type StoreFault,
  type StoreHealth,
} from "@postern/receipts";

/** What a writing program is told to do. The effect log is a plain file that knows nothing of receipts. */
export interface Work {
  readonly file: string;
  readonly log: string;
  readonly calls: readonly PlannedCall[];
  readonly limits?: ReceiptLimits;
  readonly faults?: StoreFault;
  readonly dieAt?: DeathPoint;
  /** How long an effect takes. */
  readonly holdMs?: number;
  readonly together?: boolean;
}

export interface PlannedCall {
  readonly call: ReceiptCall;
  readonly refuses?: boolean;
  readonly audited?: boolean;
}

export type DeathPoint = "before_arm" | "before_effect" | "after_effect";

/** Opens the store, makes the calls, closes, and returns the health before the close. */
export async function doWork(
  work: Work,
  onAnswer: (requestId: string, answer: ReceiptAnswer) => void,
  open: typeof openSqliteStore = openSqliteStore,
): Promise<StoreHealth> {
  const { file, faults, limits, calls } = work;
  const store = await open({ file, ...(faults !== undefined && { faults }) });
  const receipts = createReceipts(store, {
    now: Date.now,
    monotonicNow: () => performance.now(),
    newAttempt: randomUUID,
    ...(limits !== undefined && { limits }),
  });
  const run = async (planned: PlannedCall): Promise<void> => {
    const effect = (steps: EffectSteps): Promise<EffectResult> => takeEffect(work, planned, steps);
    onAnswer(planned.call.requestId, await receipts.runOnce(planned.call, effect));
  };
  if (work.together === true) await Promise.all(calls.map(run));
  else for (const planned of calls) await run(planned);
  const health = receipts.health();
  await receipts.close();
  return health;
}

async function takeEffect(
  { log, dieAt, holdMs = 0 }: Work,
  { call: { requestId }, refuses = false, audited = false }: PlannedCall,
  steps: EffectSteps,
): Promise<EffectResult> {
  const die = (point: DeathPoint): void => {
    if (dieAt === point) process.kill(process.pid, "SIGKILL");
  };
  const note = (what: string) => [
    { sql: "INSERT INTO audit VALUES (?, ?)", params: [requestId, what] },
  ];
  die("before_arm");
  if (refuses) return { kind: "refused", code: "busy", message: "Busy." };
  await steps.arm(
    audited
      ? { alongside: note("started"), require: { sql: "SELECT 1 FROM meta WHERE open" } }
      : {},
  );
  die("before_effect");
  appendFileSync(log, `${requestId}\n`);
  die("after_effect");
  if (holdMs > 0) await new Promise((resolve) => setTimeout(resolve, holdMs));
  const result = { by: process.pid, text: "x".repeat(300) };
  return { kind: "applied", result, ...(audited && { alongside: note("ended") }) };
}
