import type { CommandLine } from "../args/flags.ts";
import { nearest } from "../args/nearest.ts";
import { Account } from "../client/account.ts";
import { callOneTool } from "../client/calls.ts";
import { closeQuietly } from "../client/closing.ts";
import { openConnection, type Connection } from "../client/connection.ts";
import type { Failure } from "../client/failure.ts";
import { listAllTools } from "../client/lists.ts";
import type { ServerConfig } from "../config/schema.ts";
import { notSent } from "../errors.ts";
import type { Members } from "../protocol/json-rpc.ts";
import type { Tool } from "../protocol/tool.ts";
import type { ToolReply } from "../protocol/tool-reply.ts";
import { readCallInput, typeCallInput } from "./call-input.ts";
import { dryRun } from "./dry-run.ts";
import { progressPrinter } from "./progress.ts";
import { failureReport, type Report, type Subject } from "./report.ts";
import { findTarget, type Target } from "./target.ts";

export interface CommandContext {
  readonly signal: AbortSignal;
  /** A hint for people; nothing is written under `--quiet`. */
  hint(text: string): void;
  readonly stderrIsTerminal: boolean;
}

/** `call [SERVER] TOOL [key=text]...`: lists for existence and types, calls once, closes. */
export async function call(line: CommandLine, context: CommandContext): Promise<Report> {
  const words = [...line.words.slice(1)];
  const server = line.serverCommand ? undefined : words.shift();
  const tool = words.shift();
  const subject: Subject = { command: "call", ...(server && { server }), ...(tool && { tool }) };
  const account = new Account("config");
  const refused = (failure: Failure): Report => failureReport(subject, fail(account, failure));
  if (tool === undefined) {
    const message = "call needs a tool: postern-mcp call SERVER TOOL, or call TOOL -- COMMAND.";
    return refused({ error: notSent("invalid_arguments", message) });
  }
  const input = await readCallInput(line, words);
  if (input.kind === "refused") return refused(input);
  const found = await findTarget(line, server);
  if (found.kind === "refused") return refused(found);

  const config = found.target.raw as unknown as ServerConfig;
  const opened = await openConnection(config, { signal: context.signal }, account);
  if (opened.kind === "failed") return refused(opened.failure);
  const { connection } = opened;
  try {
    const prepared = await prepare(connection, account, tool, line, context, async (schema) =>
      typeCallInput(input.input, schema),
    );
    if (prepared.kind === "failed") {
      account.noteClosed(await closeQuietly(connection.peer.link));
      return refused(prepared.failure);
    }
    const { args } = prepared;
    if (line.has("dry-run")) {
      return dryRun({ subject, account, connection, target: found.target, tool, args });
    }
    return await callAndReport({ subject, account, connection, tool, args, context });
  } finally {
    await closeQuietly(connection.peer.link);
  }
}

type Prepared = { kind: "ok"; args: Members } | { kind: "failed"; failure: Failure };

async function prepare(
  connection: Connection,
  account: Account,
  tool: string,
  line: CommandLine,
  { signal, hint }: CommandContext,
  type: (schema: Members | undefined) => ReturnType<typeof typeCallInput>,
): Promise<Prepared> {
  let schema: Members | undefined;
  if (!line.has("no-schema")) {
    const listed = await listAllTools(connection, account, { signal });
    if (listed.kind === "failed") return listed;
    const found = findTool(tool, listed.list.tools, listed.list.excluded);
    if (found.kind === "failed") return found;
    schema = found.tool.inputSchema;
  }
  account.phase = "config";
  const typed = await type(schema);
  if (typed.kind === "refused") return { kind: "failed", failure: typed };
  account.warnings.push(...typed.warnings);
  const { requestId } = typed.args;
  if (typeof requestId === "string") {
    account.requestId = requestId;
    hint(`requestId: ${requestId}`);
  }
  return { kind: "ok", args: typed.args };
}

/** The listed tool of that name, or why it cannot be called. */
export function findTool(
  name: string,
  tools: readonly Tool[],
  excluded: readonly { tool: string; reason: string }[],
): { kind: "ok"; tool: Tool } | { kind: "failed"; failure: Failure } {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool) return { kind: "ok", tool };
  const shown = JSON.stringify(name.slice(0, 64));
  const reason = excluded.find((candidate) => candidate.tool === name)?.reason;
  if (reason !== undefined) {
    const error = notSent("tool_excluded", `The tool ${shown} cannot be called: ${reason}.`);
    return { kind: "failed", failure: { error } };
  }
  const near = nearest(
    name,
    tools.map((candidate) => candidate.name),
  );
  const hint = near === undefined ? "" : ` Did you mean ${JSON.stringify(near.slice(0, 64))}?`;
  const error = notSent("unknown_tool", `The server lists no tool ${shown}.${hint}`);
  return { kind: "failed", failure: { error } };
}

async function callAndReport(o: {
  subject: Subject;
  account: Account;
  connection: Connection;
  tool: string;
  args: Members;
  context: CommandContext;
}): Promise<Report> {
  const { subject, account, connection, context } = o;
  const call = { name: o.tool, args: o.args };
  const called = await callOneTool(connection, account, call, {
    signal: context.signal,
    exactIntegers: true,
    onProgress: progressPrinter(context),
  });
  account.noteClosed(await closeQuietly(connection.peer.link));
  if (called.kind === "failed") return failureReport(subject, fail(account, called.failure));
  const { detail } = account.succeed(called.value);
  return { ...subject, detail, ...(await replyReport(called.value)) };
}

async function replyReport(
  reply: ToolReply,
): Promise<Pick<Report, "exitCode" | "result" | "text" | "lastLine">> {
  const { renderReply } = await import("./render-reply.ts");
  const text = renderReply(reply);
  if (reply.kind === "input_required") {
    const { kind, inputRequests } = reply;
    const lastLine =
      "input_required (delivery: delivered). The call is not complete; this command cannot answer the server.";
    return { exitCode: 6, result: { kind, inputRequests }, text, lastLine };
  }
  if (!reply.isError) return { exitCode: 0, result: reply, text };
  const lastLine =
    "is_error (delivery: delivered). The tool reports an error of its own; its words are above.";
  return { exitCode: 1, result: reply, text, lastLine };
}

function fail(account: Account, failure: Failure): Parameters<typeof failureReport>[1] {
  return account.fail(failure) as Parameters<typeof failureReport>[1];
}

export type { Target };
