import { Account } from "../client/account.ts";
import { notSent } from "../errors.ts";
import type { Ready } from "./line.ts";

/** Stops waiting for a shared connection when one caller gives up; the others go on waiting for it. */
export async function orAborted(
  connecting: Promise<Ready>,
  signal: AbortSignal | undefined,
): Promise<Ready> {
  if (!signal) return connecting;
  let onAbort = (): void => undefined;
  const aborted = new Promise<Ready>((resolve) => {
    onAbort = () => {
      const message = "The caller gave up before the call was sent.";
      const failure = { error: notSent("aborted", message) };
      resolve({ kind: "failed", failure, account: new Account("connect") });
    };
  });
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([aborted, connecting]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
