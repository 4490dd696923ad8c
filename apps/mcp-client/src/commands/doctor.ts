import { existsSync } from "node:fs";
import type { CommandLine } from "../args/flags.ts";
import { Account } from "../client/account.ts";
import { defaultConfigPath, sealedDirectory } from "../config.ts";
import { readServers } from "../config/file.ts";
import { notSent } from "../errors.ts";
import { settings } from "../settings/settings.ts";
import type { CommandContext } from "./context.ts";
import { examineServer } from "./examine-server.ts";
import { terminalText } from "./render-reply.ts";
import { failureReport, type Report } from "./report.ts";

/** One thing that was looked at. */
export interface Finding {
  readonly status: "ok" | "warn" | "fail";
  readonly check: string;
  readonly message: string;
  /** Where the protocol says so. */
  readonly clause?: string;
}

const OLDEST_NODE = [22, 18] as const;

/** `doctor [SERVER]`: looks at what a call needs, or at how a server keeps to the protocol. Calls no tool. */
export async function doctor(line: CommandLine, context: CommandContext): Promise<Report> {
  const words = line.words.slice(1);
  const server = line.serverCommand ? undefined : words.shift();
  const subject = { command: "doctor", ...(server !== undefined && { server }) };
  const account = new Account("config");
  if (words.length > 0) {
    const error = notSent("invalid_arguments", "doctor takes one server, or none.");
    return failureReport(subject, account.fail({ error }));
  }
  const findings =
    server === undefined && !line.serverCommand
      ? await examineSurroundings(line)
      : await examineServer(line, context, server);
  const fails = findings.filter(({ status }) => status === "fail").length;
  return {
    ...subject,
    exitCode: fails > 0 ? 1 : 0,
    result: { findings },
    detail: account.succeed(undefined, "not_sent").detail,
    text: terminalText(findings.map(lineOf).join("\n")),
    ...(fails > 0 && { lastLine: `${String(fails)} of ${String(findings.length)} checks failed.` }),
  };
}

function lineOf({ status, check, message, clause }: Finding): string {
  return `${status.padEnd(5)}${check}: ${message}${clause === undefined ? "" : ` [${clause}]`}`;
}

async function examineSurroundings(line: CommandLine): Promise<Finding[]> {
  return [examineNode(), await examineFile(line), await examineSettings()];
}

function examineNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [least, leastMinor] = OLDEST_NODE;
  const recent = major > least || (major === least && minor >= leastMinor);
  const message = `version ${process.versions.node}; ${OLDEST_NODE.join(".")} is the oldest that works`;
  return { status: recent ? "ok" : "fail", check: "node", message };
}

async function examineFile(line: CommandLine): Promise<Finding> {
  const path = line.value("config") ?? defaultConfigPath();
  const file = await readServers(path, { optional: !line.has("config") });
  const check = "configuration file";
  if (file.kind === "refused") return { status: "fail", check, message: file.error.message };
  if (!existsSync(path)) return { status: "ok", check, message: `${path} is not there` };
  const message = `${path} names ${String(file.servers.size)} server(s); its owner and mode are right`;
  return { status: "ok", check, message };
}

async function examineSettings(): Promise<Finding> {
  const check = "settings";
  // Looking must not make a store.
  if (!existsSync(sealedDirectory())) return { status: "ok", check, message: "nothing is stored" };
  const names = await settings.names();
  const backend = await settings.backend();
  const error = names.error ?? backend.error;
  if (error) return { status: "fail", check, message: error.message };
  const { kind = "memory", protects = "" } = backend.result ?? {};
  const count = String(names.result?.length ?? 0);
  const message = `${count} entries, key in ${kind}. ${protects}`;
  return { status: kind === "keychain" ? "ok" : "warn", check, message };
}
