import { Account } from "../client/account.ts";
import { ClientError, notSent } from "../errors.ts";
import type { Outcome } from "../outcome.ts";

/** Turns a task that throws `ClientError` into an outcome. */
export async function concluded<T>(
  task: () => Promise<T>,
  signal?: AbortSignal,
): Promise<Outcome<T>> {
  const account = new Account("login");
  try {
    return account.succeed(await task(), "not_sent");
  } catch (error) {
    return account.fail({ error: signal?.aborted ? cancelled(error) : clientErrorOf(error) });
  }
}

/** The error as the caller gets it: ends of the wait for a browser have codes of their own. */
export function clientErrorOf(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "redirect_timeout":
      return notSent("login_timeout", "Nobody finished the login in time.", { cause: error });
    case "redirect_refused": {
      const message = "Something else than the browser kept asking at the address of the login.";
      return notSent("login_cancelled", message, { cause: error });
    }
    case "redirect_closed":
      return cancelled(error);
    default:
      throw error;
  }
}

function cancelled(cause: unknown): ClientError {
  return notSent("login_cancelled", "The login was cancelled.", { cause });
}
