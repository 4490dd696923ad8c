import type { Attempt } from "./attempt.ts";
import { RETRY_AFTER_MS } from "./held-answer.ts";
import type { ReceiptAnswer, ReceiptCall } from "./receipt.ts";

/**
 * Answers a call whose id is already running here: by the first call's answer if it comes within `joinMs`, the
 * caller's own deadline and its own cancel; the first call notices none of these.
 */
export async function join(
  first: Attempt,
  fingerprint: string,
  call: ReceiptCall,
  joinMs: number,
): Promise<ReceiptAnswer> {
  if (first.fingerprint !== fingerprint) return { kind: "request_conflict" };
  const answer = await withinWait(
    first.answer,
    Math.min(joinMs, call.deadlineMs ?? joinMs),
    call.signal,
  );
  if (answer === undefined) {
    return { kind: "request_in_progress", state: first.state, retryAfterMs: RETRY_AFTER_MS };
  }
  return answer.kind === "receipt" ? { ...answer, replayed: true } : answer;
}

async function withinWait<T>(
  answer: Promise<T>,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  if (signal?.aborted === true) return undefined;
  let timer: NodeJS.Timeout | undefined;
  let giveUp: () => void = () => undefined;
  const limit = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
    timer = setTimeout(giveUp, waitMs);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}
