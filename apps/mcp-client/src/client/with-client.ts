import type { ServerConfig } from "../config/schema.ts";
import { isOutcome, type Outcome } from "../outcome.ts";
import { Account } from "./account.ts";
import { closeQuietly } from "./closing.ts";
import { clientOf } from "./connect.ts";
import { openConnection } from "./connection.ts";
import type { Client, ClientOptions } from "./options.ts";

/**
 * Connects, lets `use` work, and closes on every path: when `use` returns, fails or throws. A throw is passed
 * on; what `use` returns, a value or an outcome, becomes the outcome.
 */
export async function withClient<T>(
  config: ServerConfig,
  use: (client: Client) => Promise<T | Outcome<T>>,
  o: ClientOptions = {},
): Promise<Outcome<T>> {
  const account = new Account("config");
  const opened = await openConnection(config, { ...o, account });
  if (opened.kind === "failed") return account.fail(opened.failure);
  const { link } = opened.connection.peer;
  try {
    const value = await use(clientOf(opened.connection));
    const closed = await closeQuietly(link);
    if (!isOutcome(value)) {
      account.phase = "close";
      account.noteClosed(closed);
      return account.succeed(value);
    }
    const outcome = value as Outcome<T>;
    if (closed.processTree) outcome.detail.processTree = closed.processTree;
    outcome.detail.warnings.push(...closed.warnings);
    return outcome;
  } finally {
    await closeQuietly(link);
  }
}
