import type { CommandLine } from "../args/flags.ts";
import { Account } from "../client/account.ts";
import { closeQuietly } from "../client/closing.ts";
import { openConnection } from "../client/connection.ts";
import { listAllTools } from "../client/lists.ts";
import type { ServerInfo } from "../protocol/revision.ts";
import type { FailedOutcome, Outcome } from "../outcome.ts";
import type { ToolList } from "../protocol/tool.ts";
import type { CommandContext } from "./context.ts";
import { exitCodeOf, failureReport, type Report } from "./report.ts";
import { findTarget } from "./target.ts";
import { shownServer } from "./shown-server.ts";

/** `list SERVER...`: the tools of each server, asked side by side. */
export async function list(line: CommandLine, context: CommandContext): Promise<Report> {
  const names = line.serverCommand ? [undefined] : line.words.slice(1);
  if (names.length > 1) return listSeveral(line, context, names as string[]);
  const [name] = names;
  const subject = { command: "list", ...(name && { server: shownServer(name) }) };
  const { outcome } = await listOne(line, context, name);
  if (outcome.error) return failureReport(subject, outcome);
  const { result, detail } = outcome;
  return { ...subject, exitCode: exitOf(outcome), result, detail, text: await listText(result) };
}

async function listSeveral(
  line: CommandLine,
  context: CommandContext,
  names: readonly string[],
): Promise<Report> {
  const all = await Promise.all(
    names.map(async (name) => ({
      name: shownServer(name),
      ...(await listOne(line, context, name)),
    })),
  );
  const account = new Account("list");
  const parts: string[] = [];
  for (const { name, outcome } of all) {
    const body = outcome.error
      ? `  ${outcome.error.code}: ${outcome.error.message}`
      : await listText(outcome.result);
    parts.push(`${name}:\n${body}`);
    for (const { code, message } of outcome.detail.warnings)
      account.warn(code, `${name}: ${message}`);
  }
  const servers = all.map(({ name, outcome }) => ({
    server: name,
    ok: exitOf(outcome) === 0,
    ...(outcome.error
      ? { error: { code: outcome.error.code, message: outcome.error.message } }
      : { result: outcome.result }),
    detail: outcome.detail,
  }));
  const failures = all.filter(({ outcome }) => outcome.error).length;
  const { terminalText } = await import("./render-reply.ts");
  return {
    command: "list",
    exitCode: worst(all.map(({ outcome }) => exitOf(outcome))),
    result: { servers },
    detail: account.succeed(undefined).detail,
    text: terminalText(parts.join("\n")),
    ...(failures > 0 && {
      lastLine: `${String(failures)} of ${String(all.length)} servers could not be listed; their lines above say why.`,
    }),
  };
}

type ListedServer =
  | { outcome: FailedOutcome; info?: undefined }
  | { outcome: Exclude<Outcome<ToolList>, FailedOutcome>; info: ServerInfo };

/** Connects to one server, lists its tools and closes. */
export async function listOne(
  line: CommandLine,
  { signal }: CommandContext,
  name: string | undefined,
): Promise<ListedServer> {
  const account = new Account("config");
  const found = await findTarget(line, name);
  if (found.kind === "refused") return { outcome: account.fail(found) };
  const opened = await openConnection(found.target.raw, { signal, account });
  if (opened.kind === "failed") return { outcome: account.fail(opened.failure) };
  const { peer, info } = opened.connection;
  try {
    const listed = await listAllTools(opened.connection, account, { signal });
    account.noteClosed(await closeQuietly(peer.link));
    if (listed.kind === "failed") return { outcome: account.fail(listed.failure) };
    return { outcome: account.succeed(listed.list), info };
  } finally {
    await closeQuietly(peer.link);
  }
}

/** 0, 8 for a list that a limit cut, or the code of the failure. */
export function exitOf(outcome: Outcome<ToolList>): number {
  if (outcome.error) return exitCodeOf(outcome.error);
  return outcome.result.truncated ? 8 : 0;
}

function worst(codes: readonly number[]): number {
  return [2, 3, 8].find((code) => codes.includes(code)) ?? 0;
}

async function listText({ tools, excluded, truncated }: ToolList): Promise<string> {
  const { safeLine } = await import("@postern/terminal-text");
  const width = Math.min(40, Math.max(0, ...tools.map(({ name }) => name.length)));
  const lines = tools.map(({ name, title, description }) => {
    const words = title ?? description?.split("\n", 1)[0] ?? "";
    return `${safeLine(name).padEnd(width)}  ${words === "" ? "" : safeLine(words)}`.trimEnd();
  });
  for (const { tool, reason } of excluded)
    lines.push(`[${safeLine(tool)} cannot be called: ${reason}]`);
  if (truncated) lines.push(`[the list was cut: ${truncated.why}]`);
  return lines.join("\n");
}
