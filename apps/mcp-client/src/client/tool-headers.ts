import { notSent } from "../errors.ts";
import type { Account } from "./account.ts";
import type { Connection } from "./connection.ts";
import type { Failure } from "./failure.ts";
import { listAllTools } from "./lists.ts";
import type { ListOptions } from "./options.ts";

/**
 * Where a revision repeats arguments in headers, a call needs the tool's annotations: the tools are listed first,
 * once. A tool whose annotations cannot be followed is not called.
 */
export async function learnToolHeaders(
  connection: Connection,
  account: Account,
  tool: unknown,
  { signal, timeoutMs }: ListOptions,
): Promise<Failure | undefined> {
  const { link, revision } = connection.peer;
  if (link.kind !== "http" || !revision.readMirrors || link.broken) return undefined;
  if (!connection.excludedTools) {
    const listed = await listAllTools(connection, account, {
      ...(signal && { signal }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    if (listed.kind === "failed") return listed.failure;
  }
  const reason = typeof tool === "string" ? connection.excludedTools?.get(tool) : undefined;
  if (reason === undefined) return undefined;
  return { error: notSent("tool_excluded", `The tool cannot be called: ${reason}.`) };
}
