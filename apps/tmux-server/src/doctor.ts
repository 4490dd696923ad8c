import { existsSync } from "node:fs";
import { ToolError } from "@postern/protocol";
import { safeLine } from "@postern/terminal-text";
import type { PaneRow } from "./domain/pane-list.ts";
import { isAllowed } from "./domain/target.ts";
import { receiptFile } from "./receipt-book.ts";
import { tmuxError } from "./tmux/tmux-outcome.ts";
import type { WriteApp } from "./write-app.ts";

export interface DoctorReport {
  readonly text: string;
  readonly problems: number;
}

/** One line of the report, and what to do if it shows a problem. */
interface Finding {
  readonly subject: string;
  readonly found: string;
  readonly fix?: string;
}

/** Checks what the server depends on and says what to do about each problem. */
export async function doctor(app: WriteApp, stateDirectory: string): Promise<DoctorReport> {
  const findings = [
    await findTmux(app),
    {
      subject: "configuration",
      found: `${app.configPath}${existsSync(app.configPath) ? "" : " (not created yet: defaults)"}`,
    },
    ...(await findSessions(app)),
    {
      subject: "writing",
      found: app.writeEnabled ? "enabled" : 'disabled ("write_enabled" or --write enables it)',
    },
    {
      subject: "auth_token",
      found: app.config.auth_token === null ? "none" : "set: every write must carry it",
    },
    { subject: "allowed_commands", found: countOf(app.config.allowed_commands) },
    await findStore(app, stateDirectory),
  ];
  const lines = findings.flatMap(({ subject, found, fix }) => [
    `${subject.padEnd(18)}${found}`,
    ...(fix === undefined ? [] : [`${" ".repeat(18)}fix: ${fix}`]),
  ]);
  const text = [`postern-tmux ${app.version}`, ...lines, "", hostSnippets, ""].join("\n");
  return { text, problems: findings.filter(({ fix }) => fix !== undefined).length };
}

async function findTmux({ tmux, config }: WriteApp): Promise<Finding> {
  const version = await tmux.version();
  if ("text" in version) return { subject: "tmux", found: `${config.tmux_path} ${version.text}` };
  return {
    subject: "tmux",
    found: tmuxError(version).message,
    fix: "apt-get install tmux, or brew install tmux, or set tmux_path",
  };
}

async function findSessions({ tmux, panes, config }: WriteApp): Promise<readonly Finding[]> {
  const allowed = config.allowed_sessions;
  const names = allowed.length === 0 ? "all" : allowed.map((name) => safeLine(name)).join(", ");
  const socket = { subject: "socket", found: tmux.socket };
  const rule = { subject: "allowed_sessions", found: names };
  try {
    const rows = await panes.list();
    const shown = [...new Set(rows.map(({ sessionName }) => sessionName))].map((name) => {
      const own = rows.filter(({ sessionName }) => sessionName === name);
      return `${safeLine(name)} (${isAllowed(name, allowed) ? "allowed" : "not allowed"}${switchedTo(own)})`;
    });
    return [socket, rule, { subject: "sessions", found: shown.join(", ") }];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return [socket, rule, { subject: "sessions", found: error.message }];
  }
}

/** What the user's switch (pause, hide) leaves of a session, at its strictest pane. */
function switchedTo(rows: readonly Pick<PaneRow, "permission">[]): string {
  if (rows.some(({ permission }) => permission === "hidden")) return ", hidden by you";
  return rows.some(({ permission }) => permission === "read") ? ", paused by you" : "";
}

async function findStore(app: WriteApp, directory: string): Promise<Finding> {
  const subject = "receipts";
  const file = receiptFile(directory);
  if (!existsSync(file)) return { subject, found: `${file} (made at the first write)` };
  try {
    const health = (await app.receipts()).health();
    if (health === "ok") return { subject, found: file };
    return { subject, found: `${file}: ${health.readOnly}`, fix: "free space, then start again" };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const reason = typeof error.data["reason"] === "string" ? error.data["reason"] : error.message;
    return {
      subject,
      found: `${file}: ${reason}`,
      fix: `set the directory right; moving ${file} away forgets which requests already ran`,
    };
  }
}

function countOf(list: readonly string[] | null): string {
  return list === null ? "any command" : `${String(list.length)} entries`;
}

const hostSnippets = `Hosts:
  claude mcp add tmux -- postern-tmux
  {"mcpServers": {"tmux": {"command": "postern-tmux", "args": []}}}`;
