import { closeQuietly } from "../client/closing.ts";
import type { Connection } from "../client/connection.ts";
import { stringifyExact } from "../protocol/exact-json.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { terminalText } from "./render-reply.ts";
import type { CallSession } from "./call-session.ts";
import type { Report } from "./report.ts";
import { shownServer } from "./shown-server.ts";
import type { Target } from "./target.ts";

interface Setting {
  readonly name: string;
  readonly value: unknown;
  readonly from: string;
}

/** Shows the message a call would send and the settings it would obey, without sending it. */
export async function dryRun(session: CallSession, args: Members): Promise<Report> {
  const { account, connection, subject } = session;
  account.phase = "call";
  const { body, headers } = connection.peer.preview("tools/call", {
    name: session.tool,
    arguments: args,
  });
  account.noteClosed(await closeQuietly(connection.peer.link));
  const { detail } = account.succeed(undefined, "not_sent");
  const settings = effectiveSettings(connection, session.target);
  const lines = [
    "method  tools/call",
    ...headerLines(headers),
    `body    ${stringifyExact(body)}`,
    ...settings.map(
      ({ name, value, from }) => `setting ${name} = ${JSON.stringify(value)} (${from})`,
    ),
    "Nothing was sent.",
  ];
  return {
    ...subject,
    exitCode: 0,
    result: { dryRun: true, method: "tools/call", headers, body, settings },
    detail,
    text: terminalText(lines.join("\n")),
  };
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  const lines = Object.entries(headers).map(([name, value]) => `header  ${name}: ${value}`);
  return lines.length > 0 ? lines : ["headers (none over stdio)"];
}

/** Values of variables, headers and queries are masked: a literal may be a secret too. */
function effectiveSettings({ config }: Connection, { origins }: Target): Setting[] {
  return Object.entries(config)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({
      name,
      value: shownSetting(name, value),
      from: origins.get(name) ?? "default",
    }));
}

function shownSetting(name: string, value: unknown): unknown {
  if ((name === "env" || name === "headers") && isMembers(value)) return masked(value);
  if (name === "authToken") return "[secret]";
  return name === "url" && typeof value === "string" ? shownServer(value) : value;
}

function masked(values: Members): Members {
  return Object.fromEntries(Object.keys(values).map((name) => [name, "[secret]"]));
}
