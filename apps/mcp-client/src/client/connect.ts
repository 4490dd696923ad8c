import type { ServerConfig } from "../config/schema.ts";
import type { Outcome } from "../outcome.ts";
import type { CloseReport } from "../transport/link.ts";
import { Account } from "./account.ts";
import { callOneTool, continueOneCall, requestOnce, type Called } from "./calls.ts";
import { openConnection, type Connection } from "./connection.ts";
import { listAllTools } from "./lists.ts";
import type { Client, ClientOptions } from "./options.ts";

/** Starts a server and agrees on a revision. The answer is a ready client, or nothing is left running. */
export async function connect(
  config: ServerConfig,
  o: ClientOptions = {},
): Promise<Outcome<Client>> {
  const account = new Account("config");
  const opened = await openConnection(config, { ...o, account });
  if (opened.kind === "failed") return account.fail(opened.failure);
  return account.succeed(clientOf(opened.connection), "not_sent");
}

/** The public face of an open connection. */
export function clientOf(connection: Connection): Client {
  const begin = (phase: "list" | "call"): Account => {
    const account = new Account(phase);
    account.attach(connection.peer.link, "now");
    account.revision = connection.info.revision;
    return account;
  };
  let closing: Promise<CloseReport> | undefined;
  return {
    info: connection.info,
    async listTools(o = {}) {
      const account = begin("list");
      const listed = await listAllTools(connection, account, o);
      return listed.kind === "listed" ? account.succeed(listed.list) : account.fail(listed.failure);
    },
    async callTool(name, args, o = {}) {
      const account = begin("call");
      return conclude(account, await callOneTool(connection, account, { name, args }, o));
    },
    async continueCall(pending, responses, o = {}) {
      const account = begin("call");
      return conclude(account, await continueOneCall(connection, account, pending, responses, o));
    },
    async resumeCall(token, o = {}) {
      const account = begin("call");
      const { resumeOneCall } = await import("./resume.ts");
      return conclude(account, await resumeOneCall(connection, account, token, o));
    },
    async request(method, params, o = {}) {
      const account = begin("call");
      return conclude(account, await requestOnce(connection, account, { method, params }, o));
    },
    close() {
      closing ??= connection.peer.link.close();
      return closing;
    },
  };
}

function conclude<T>(account: Account, called: Called<T>): Outcome<T> {
  return called.kind === "answered" ? account.succeed(called.value) : account.fail(called.failure);
}
