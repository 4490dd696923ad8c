import { setTimeout as sleep } from "node:timers/promises";
import { equalSecret, Secret } from "@postern/endpoint-auth";
import { ToolError } from "@postern/protocol";

/** Checks the token of a write. @throws ToolError `auth_failed`, alike for a missing and a wrong one */
export type TokenCheck = (token: string | undefined) => Promise<void>;

const freeFailures = 4;
const delayMs = 1_000;

/** Checks against the configured token; from the fifth failure in a row each one takes a second, one after the other. */
export function tokenCheck(configured: string | null): TokenCheck {
  if (configured === null) return async () => undefined;
  const wanted = new Secret(configured);
  let failures = 0;
  let penalties: Promise<unknown> = Promise.resolve();
  return async (token) => {
    if (equalSecret(new Secret(token ?? ""), wanted)) {
      failures = 0;
      return;
    }
    failures += 1;
    if (failures > freeFailures) await (penalties = penalties.then(() => sleep(delayMs)));
    throw new ToolError("auth_failed", "The auth_token is missing or wrong.");
  };
}
