import type { CommandLine } from "../args/flags.ts";
import { Account } from "../client/account.ts";
import { openConnection } from "../client/connection.ts";
import type { Failure } from "../client/failure.ts";
import { notSent } from "../errors.ts";
import { readCallInput } from "./call-input.ts";
import type { CommandContext } from "./context.ts";
import { failureReport, type Report, type Subject } from "./report.ts";
import { shownServer } from "./shown-server.ts";
import { findTarget } from "./target.ts";

/** `call [SERVER] TOOL [key=text]...`: lists for existence and types, calls once, closes. */
export async function call(line: CommandLine, context: CommandContext): Promise<Report> {
  const words = line.words.slice(1);
  const server = line.serverCommand ? undefined : words.shift();
  const tool = words.shift();
  const subject: Subject = {
    command: "call",
    ...(server && { server: shownServer(server) }),
    ...(tool && { tool }),
  };
  const account = new Account("config");
  const refused = (failure: Failure): Report => failureReport(subject, account.fail(failure));
  if (tool === undefined) {
    const message = "call needs a tool: postern-mcp call SERVER TOOL, or call TOOL -- COMMAND.";
    return refused({ error: notSent("invalid_arguments", message) });
  }
  const read = await readCallInput(line, words);
  if (read.kind === "refused") return refused(read);
  const found = await findTarget(line, server);
  if (found.kind === "refused") return refused(found);

  let session: Promise<typeof import("./call-session.ts")> | undefined;
  const opened = await openConnection(found.target.raw, {
    signal: context.signal,
    account,
    onStarted: () => {
      session = import("./call-session.ts");
      void import("./print.ts");
    },
  });
  if (opened.kind === "failed") return refused(opened.failure);
  const { connection } = opened;
  try {
    const { callInSession } = await (session ?? import("./call-session.ts"));
    const { input } = read;
    const { target } = found;
    return await callInSession({
      subject,
      account,
      connection,
      context,
      line,
      target,
      tool,
      input,
    });
  } finally {
    await connection.peer.link.close();
  }
}
