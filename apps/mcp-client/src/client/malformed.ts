import type { Delivery } from "@postern/protocol";
import { ClientError } from "../errors.ts";
import type { Failure } from "./failure.ts";

/** An answer that is a result under our id, but none that can be used. */
export function malformedResult(method: string, why: string, delivery: Delivery): Failure {
  const message = `The answer to ${method} is a result this client cannot use: ${why}.`;
  return { error: new ClientError("malformed_result", delivery, message) };
}
