import { protocolRevisions } from "@postern/protocol";
import { safeLine } from "@postern/terminal-text";
import type { CommandLine } from "../args/flags.ts";
import { Account } from "../client/account.ts";
import { closeQuietly } from "../client/closing.ts";
import { openConnection } from "../client/connection.ts";
import { listAllTools } from "../client/lists.ts";
import type { ClientError } from "../errors.ts";
import type { Detail } from "../outcome.ts";
import type { Members } from "../protocol/json-rpc.ts";
import type { ToolList } from "../protocol/tool.ts";
import type { CommandContext } from "./context.ts";
import type { Finding } from "./doctor.ts";
import { findTarget } from "./target.ts";

// A server that does not know a revision may just stay silent; nobody should wait half a minute for that.
const HANDSHAKE_MS = 5_000;
const AUTHORISATION: ReadonlySet<string> = new Set([
  "auth_required",
  "insufficient_scope",
  "forbidden",
]);

/** Opens a server in each revision, lists its tools and closes it, and says how it keeps to the protocol. */
export async function examineServer(
  line: CommandLine,
  context: CommandContext,
  name: string | undefined,
): Promise<Finding[]> {
  const found = await findTarget(line, name);
  if (found.kind === "refused") {
    return [{ status: "fail", check: "configuration", message: found.error.message }];
  }
  const { raw } = found.target;
  const config = { handshakeTimeoutMs: HANDSHAKE_MS, ...raw };
  const visits: Visit[] = [];
  for (const revision of protocolRevisions) visits.push(await visit(config, revision, context));
  const open = visits.find((one) => one.kind === "open");
  return [
    ...visits.map((one) => aboutRevision(one, open !== undefined)),
    ...(open ? [...aboutTools(open.list), ...aboutEnd(open.detail)] : []),
  ];
}

type Visit =
  | {
      kind: "open";
      revision: string;
      readyMs: number;
      list: ToolList | ClientError;
      detail: Detail;
    }
  | { kind: "failed"; revision: string; error: ClientError };

async function visit(config: Members, revision: string, o: CommandContext): Promise<Visit> {
  const account = new Account("config");
  const startedAt = performance.now();
  const { signal } = o;
  const raw = { ...config, protocolVersion: revision };
  const opened = await openConnection(raw, { signal, account });
  if (opened.kind === "failed") return { kind: "failed", revision, error: opened.failure.error };
  const readyMs = Math.round(performance.now() - startedAt);
  const { link } = opened.connection.peer;
  try {
    const listed = await listAllTools(opened.connection, account, { signal });
    account.noteClosed(await closeQuietly(link));
    const list = listed.kind === "listed" ? listed.list : listed.failure.error;
    return { kind: "open", revision, readyMs, list, detail: account.succeed(undefined).detail };
  } finally {
    await closeQuietly(link);
  }
}

function aboutRevision(one: Visit, anyOpen: boolean): Finding {
  const check = `revision ${one.revision}`;
  const clause = "Lifecycle, Version Negotiation";
  if (one.kind === "open") {
    return { status: "ok", check, message: `ready after ${String(one.readyMs)} ms`, clause };
  }
  const { code, message } = one.error;
  if (AUTHORISATION.has(code)) {
    return { status: "warn", check, message: `${code}: ${message}`, clause: "Authorization" };
  }
  // One revision is enough to work with.
  return { status: anyOpen ? "warn" : "fail", check, message: `${code}: ${message}`, clause };
}

function aboutTools(list: ToolList | ClientError): Finding[] {
  const check = "tools";
  if (list instanceof Error) {
    const message = `${list.code}: ${list.message}`;
    return [{ status: "fail", check, message, clause: "Tools, Listing Tools" }];
  }
  const { tools, excluded, truncated } = list;
  const findings: Finding[] = [{ status: "ok", check, message: `${String(tools.length)} listed` }];
  if (truncated) {
    const message = `the list was cut (${truncated.why})`;
    findings.push({ status: "warn", check, message, clause: "Pagination" });
  }
  for (const { tool, reason } of excluded) {
    const message = `${safeLine(tool)} cannot be called: ${reason}`;
    findings.push({ status: "fail", check, message, clause: "Tools, Data Types" });
  }
  for (const { name } of tools.filter((tool) => !/^[A-Za-z0-9_.-]{1,128}$/.test(tool.name))) {
    const message = `${safeLine(name)} is a name that some clients refuse`;
    findings.push({ status: "warn", check, message, clause: "Tools, Tool Names" });
  }
  return findings;
}

function aboutEnd({ warnings, processTree }: Detail): Finding[] {
  if (!processTree) return [];
  const noise = warnings.find(({ code }) => code === "stdout_noise");
  const stdout: Finding = noise
    ? { status: "fail", check: "stdout", message: noise.message, clause: "Transports, stdio" }
    : { status: "ok", check: "stdout", message: "holds protocol messages only" };
  const { stage, survivors, proof } = processTree;
  const clause = "Lifecycle, Shutdown";
  const check = "end";
  if (survivors > 0) {
    const message = `${String(survivors)} process(es) were left behind (${proof})`;
    return [stdout, { status: "fail", check, message, clause }];
  }
  if (stage === "eof") return [stdout, { status: "ok", check, message: "ends with its input" }];
  const message = `did not end with its input; ${stage.toUpperCase()} was needed`;
  return [stdout, { status: "warn", check, message, clause }];
}
