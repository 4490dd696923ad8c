import { setTimeout as delay } from "node:timers/promises";
import { ClientError } from "../errors.ts";
import type { ToolReply } from "../protocol/tool-reply.ts";
import type { Account } from "./account.ts";
import type { ResumePoint } from "./answer.ts";
import { readCallAnswer, termsOf, type Called } from "./calls.ts";
import type { Connection } from "./connection.ts";
import type { Failure } from "./failure.ts";
import type { CallOptions } from "./options.ts";

const MAX_RETRY_MS = 60_000;

/** Waits as long as the server asked, then takes up the lost stream of a call. The call is not sent again. */
export async function resumeOneCall(
  connection: Connection,
  account: Account,
  { lastEventId, retryMs }: ResumePoint,
  o: CallOptions,
): Promise<Called<ToolReply>> {
  account.phase = "call";
  account.effects = "possible";
  const waitMs = Math.min(Math.max(0, retryMs), MAX_RETRY_MS);
  try {
    await delay(waitMs, undefined, o.signal ? { signal: o.signal } : {});
  } catch {
    const error = new ClientError("aborted", "unknown", "The caller gave the resuming up.");
    return { kind: "failed", failure: { error } };
  }
  const answer = await connection.peer.resume(lastEventId, termsOf(connection.config, o, account));
  const call = { name: "", args: {} };
  const resumed = await readCallAnswer(connection, account, answer, { call, o });
  return resumed.kind === "answered"
    ? resumed
    : { kind: "failed", failure: ofTheCall(resumed.failure) };
}

/** Whatever became of the resuming: the call itself was sent, and how it ended is not known. */
function ofTheCall(failure: Failure): Failure {
  const { code, delivery, message, data, cause } = failure.error;
  if (delivery === "delivered") return failure;
  const error = new ClientError(code, "unknown", message, { cause, ...(data && { data }) });
  return { ...failure, error };
}
