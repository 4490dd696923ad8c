import type { ServerConfig } from "../config/schema.ts";
import type { Outcome } from "../outcome.ts";
import type { ToolReply } from "../protocol/tool-reply.ts";
import { Account } from "./account.ts";
import { callOneTool } from "./calls.ts";
import { closeQuietly } from "./closing.ts";
import { openConnection } from "./connection.ts";
import type { CallOptions, ClientOptions } from "./options.ts";

/** Connects, calls one tool once, and closes: the server's process tree has ended when this resolves. */
export async function callTool(
  config: ServerConfig,
  name: string,
  args?: object,
  o: CallOptions & ClientOptions = {},
): Promise<Outcome<ToolReply>> {
  const account = new Account("config");
  const opened = await openConnection(config, { ...o, account });
  if (opened.kind === "failed") return account.fail(opened.failure);
  const { connection } = opened;
  const { link } = connection.peer;
  try {
    const called = await callOneTool(connection, account, { name, args }, o);
    account.noteClosed(await closeQuietly(link));
    return called.kind === "answered"
      ? account.succeed(called.value)
      : account.fail(called.failure);
  } finally {
    await closeQuietly(link);
  }
}
