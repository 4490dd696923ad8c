import { protocolRevisions } from "@postern/protocol";
import { safeLine } from "@postern/terminal-text";
import type { CommandLine } from "../args/flags.ts";
import { Account } from "../client/account.ts";
import { closeQuietly } from "../client/closing.ts";
import { openConnection } from "../client/connection.ts";
import { listAllTools } from "../client/lists.ts";
import type { Failure } from "../client/failure.ts";
import type { ClientError } from "../errors.ts";
import type { Detail } from "../outcome.ts";
import type { Members } from "../protocol/json-rpc.ts";
import type { ToolList } from "../protocol/tool.ts";
import type { CloseReport } from "../transport/link.ts";
import type { CommandContext } from "./context.ts";
import type { Finding } from "./doctor.ts";
import { examineAuthorisation, wantsAuthorisation } from "./examine-authorisation.ts";
import { findTarget } from "./target.ts";

// A server that does not know a revision may just stay silent; nobody should wait half a minute for that.
const HANDSHAKE_MS = 5_000;

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
  // The newer revision also judges header annotations.
  const open = visits.findLast((one) => one.kind === "open");
  const findings = visits.map((one) => aboutRevision(one, open !== undefined));
  const barred = visits.find((one) => one.kind === "failed" && wantsAuthorisation(one.failure));
  if (barred?.kind === "failed" && typeof raw["url"] === "string") {
    findings.push(...(await examineAuthorisation(barred.failure, raw["url"], context.signal)));
  }
  if (!open && !barred) findings.push(...(await aboutOldTransport(raw)));
  if (open) findings.push(...aboutTools(open.list));
  for (const one of visits) if (one.kind === "open") findings.push(...aboutSession(one));
  if (open) findings.push(...aboutEnd(open));
  return findings;
}

/** What used to be an MCP server over HTTP is worth a word of its own. */
async function aboutOldTransport({ url, proxy }: Members): Promise<Finding[]> {
  if (typeof url !== "string" || proxy !== undefined) return [];
  const { checkServerUrl } = await import("../config/url.ts");
  if (checkServerUrl(url).kind === "refused") return [];
  const { isOldTransport } = await import("../transport/http/old-transport.ts");
  if (!(await isOldTransport(url))) return [];
  const message =
    "This is the HTTP+SSE transport of 2024-11-05, which was replaced by Streamable HTTP; this client does not speak it.";
  return [
    { status: "fail", check: "transport", message, clause: "Transports, Backwards Compatibility" },
  ];
}

type Visit =
  | {
      kind: "open";
      revision: string;
      readyMs: number;
      list: ToolList | ClientError;
      detail: Detail;
      end: CloseReport;
    }
  | { kind: "failed"; revision: string; failure: Failure };

async function visit(config: Members, revision: string, o: CommandContext): Promise<Visit> {
  const account = new Account("config");
  const startedAt = performance.now();
  const { signal } = o;
  const raw = { ...config, protocolVersion: revision };
  const opened = await openConnection(raw, { signal, account });
  if (opened.kind === "failed") return { kind: "failed", revision, failure: opened.failure };
  const readyMs = Math.round(performance.now() - startedAt);
  const { link } = opened.connection.peer;
  try {
    const listed = await listAllTools(opened.connection, account, { signal });
    const end = await link.close();
    const list = listed.kind === "listed" ? listed.list : listed.failure.error;
    const { detail } = account.succeed(undefined);
    return { kind: "open", revision, readyMs, list, detail, end };
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
  const { code, message } = one.failure.error;
  if (wantsAuthorisation(one.failure)) {
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

/** Transports, "Session Management": a server may refuse to end a session, with 405. */
function aboutSession({ revision, end }: Extract<Visit, { kind: "open" }>): Finding[] {
  const { sessionEnd } = end;
  if (sessionEnd === undefined) return [];
  const check = "session";
  const clause = "Transports, Session Management";
  switch (sessionEnd) {
    case "deleted":
      return [{ status: "ok", check, message: `DELETE ended it in ${revision}` }];
    case "not_offered":
      return [{ status: "ok", check, message: `DELETE is not offered in ${revision}`, clause }];
    case "failed":
      return [{ status: "warn", check, message: "DELETE did not end it within 1 s", clause }];
  }
}

function aboutEnd({ detail, end }: Extract<Visit, { kind: "open" }>): Finding[] {
  const { processTree } = end;
  if (!processTree) return [];
  const noise = detail.warnings.find(({ code }) => code === "stdout_noise");
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
