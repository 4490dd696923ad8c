import type { CommandLine } from "../args/flags.ts";
import type { Account } from "../client/account.ts";
import { callOneTool } from "../client/calls.ts";
import { closeQuietly } from "../client/closing.ts";
import type { Connection } from "../client/connection.ts";
import type { Failure } from "../client/failure.ts";
import { listAllTools } from "../client/lists.ts";
import type { PreparedFile } from "../content/prepare.ts";
import type { Members } from "../protocol/json-rpc.ts";
import type { Tool } from "../protocol/tool.ts";
import type { ToolReply } from "../protocol/tool-reply.ts";
import type { CallInput } from "./call-input.ts";
import type { CommandContext } from "./context.ts";
import { findTool } from "./find-tool.ts";
import { progressPrinter } from "./progress.ts";
import { plainReply } from "./plain-reply.ts";
import { failureReport, type Report, type Subject } from "./report.ts";
import { saveFiles, withFiles } from "./save-files.ts";
import type { Target } from "./target.ts";
import { typeCallInput } from "./typed-input.ts";

/** A connected `call`, ready to list, type and call. */
export interface CallSession {
  readonly subject: Subject;
  readonly account: Account;
  readonly connection: Connection;
  readonly context: CommandContext;
  readonly line: CommandLine;
  readonly target: Target;
  readonly tool: string;
  readonly input: CallInput;
}

/** The part of `call` that needs a server. Loaded while the server starts. */
export async function callInSession(session: CallSession): Promise<Report> {
  const { subject, account, connection } = session;
  const prepared = await prepare(session);
  if (prepared.kind === "failed") {
    account.noteClosed(await closeQuietly(connection.peer.link));
    return failureReport(subject, account.fail(prepared.failure));
  }
  const { args } = prepared;
  if (session.line.has("dry-run")) {
    const { dryRun } = await import("./dry-run.ts");
    return dryRun(session, args);
  }
  const called = await callOneTool(
    connection,
    account,
    { name: session.tool, args, unlisted: session.line.has("no-schema") },
    {
      signal: session.context.signal,
      exactIntegers: true,
      onProgress: progressPrinter(session.context),
    },
  );
  account.noteClosed(await closeQuietly(connection.peer.link));
  if (called.kind === "failed") return failureReport(subject, account.fail(called.failure));
  const reply = called.value;
  const json = session.line.has("json");
  const dir = session.line.value("save-to");
  const saved = await saveFiles(reply, { tool: session.tool, dir, json });
  const { detail } = account.succeed(reply);
  const text = json ? "" : await replyText(reply, saved?.result?.files);
  return { ...subject, text, ...withFiles({ detail, ...replyReport(reply) }, saved) };
}

type Prepared = { kind: "ok"; args: Members } | { kind: "failed"; failure: Failure };

async function prepare(session: CallSession): Promise<Prepared> {
  const { account, connection, context } = session;
  let tool: Tool | undefined;
  if (!session.line.has("no-schema")) {
    const listed = await listAllTools(connection, account, { signal: context.signal });
    if (listed.kind === "failed") return listed;
    const found = findTool(session.tool, listed.list);
    if (found.kind === "failed") return found;
    tool = found.tool;
  }
  account.phase = "config";
  const typed = await typeCallInput(session.input, tool);
  if (typed.kind === "refused") return { kind: "failed", failure: typed };
  account.warnings.push(...typed.warnings);
  const { requestId } = typed.args;
  if (typeof requestId === "string") {
    account.requestId = requestId;
    context.hint(`requestId: ${requestId}`);
  }
  return { kind: "ok", args: typed.args };
}

async function replyText(reply: ToolReply, files?: readonly PreparedFile[]): Promise<string> {
  const plain = plainReply(reply);
  if (plain !== undefined) return plain;
  const { renderReply } = await import("./render-reply.ts");
  return renderReply(reply, files);
}

function replyReport(reply: ToolReply): Pick<Report, "exitCode" | "result" | "lastLine"> {
  if (reply.kind === "input_required") {
    const { kind, inputRequests } = reply;
    const lastLine =
      "input_required (delivery: delivered). The call is not complete; this command cannot answer the server.";
    return { exitCode: 6, result: { kind, inputRequests }, lastLine };
  }
  if (!reply.isError) return { exitCode: 0, result: reply };
  const lastLine =
    "is_error (delivery: delivered). The tool reports an error of its own; its words are above.";
  return { exitCode: 1, result: reply, lastLine };
}
