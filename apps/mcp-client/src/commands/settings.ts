import type { CommandLine } from "../args/flags.ts";
import { nearest } from "../args/nearest.ts";
import { Account } from "../client/account.ts";
import { mergeConfig } from "../config/merge.ts";
import { ClientError, notSent } from "../errors.ts";
import { unwrap } from "../outcome.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { settings } from "../settings/settings.ts";
import type { CommandContext } from "./context.ts";
import { prettyJson } from "./print.ts";
import { terminalText } from "./render-reply.ts";
import { failureReport, type Report } from "./report.ts";
import { readSecretWords } from "./secret-words.ts";
import { checkServers } from "./settings-check.ts";
import { flagOverrides } from "./target.ts";

/** What one of the commands shows: a value for `--json`, lines for people. */
export interface Shown {
  readonly result: unknown;
  readonly text: string;
  readonly exitCode?: number;
  readonly lastLine?: string;
}

type Action = (
  line: CommandLine,
  context: CommandContext,
  names: readonly string[],
) => Promise<Shown>;

const ACTIONS: Readonly<Record<string, Action>> = {
  list,
  show,
  add: (line, context, [name = "", ...rest]) => store("add", line, context, name, rest),
  set: (line, context, [name = "", ...rest]) => store("set", line, context, name, rest),
  remove,
  rename,
  check: (line, _context, names) => checkServers(line, names[0]),
};
const NAMES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  list: [0, 0],
  show: [1, 1],
  add: [1, 2],
  set: [1, 2],
  remove: [1, 1],
  rename: [2, 2],
  check: [0, 1],
};

/** `settings list|show|add|set|remove|rename|check [NAME]`. */
export async function settingsCommand(line: CommandLine, context: CommandContext): Promise<Report> {
  const [, word = "", ...names] = line.words;
  const subject = { command: "settings", ...(names[0] !== undefined && { server: names[0] }) };
  const account = new Account("config");
  try {
    const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
    if (!action) throw unknownAction(word);
    const [least = 0, most = 0] = NAMES[word] ?? [];
    if (names.length < least || names.length > most) {
      const count = least === most ? String(least) : `${String(least)} or ${String(most)}`;
      throw notSent("invalid_arguments", `settings ${word} takes ${count} word(s) after it.`);
    }
    const shown = await action(line, context, names);
    const { detail } = account.succeed(shown.result, "not_sent");
    return { ...subject, exitCode: 0, detail, ...shown, text: terminalText(shown.text) };
  } catch (error) {
    if (error instanceof ClientError) return failureReport(subject, account.fail({ error }));
    throw error;
  }
}

async function list(): Promise<Shown> {
  const names = unwrap(await settings.names());
  const entries = await Promise.all(
    names.map(async (name) => ({ name, holds: holds({ ...unwrap(await settings.load(name)) }) })),
  );
  if (entries.length === 0) return { result: { entries }, text: "No settings are stored." };
  const backend = unwrap(await settings.backend());
  const lines = entries.map(({ name, holds }) => `${name.padEnd(20)} ${holds}`);
  return { result: { entries, backend }, text: [...lines, backend.protects].join("\n") };
}

async function show(
  _line: CommandLine,
  _context: CommandContext,
  [name = ""]: readonly string[],
): Promise<Shown> {
  const entry = masked({ ...unwrap(await settings.load(name)) });
  return { result: { entry }, text: prettyJson(entry) };
}

async function store(
  how: "add" | "set",
  line: CommandLine,
  context: CommandContext,
  name: string,
  [url]: readonly string[],
): Promise<Shown> {
  const before = unwrap(await settings.load(name, true));
  if (how === "add" && before) {
    throw notSent(
      "invalid_arguments",
      `There is an entry "${name}" already; settings set changes it.`,
    );
  }
  const flags = await flagOverrides(line);
  if (flags.kind === "refused") throw flags.error;
  const secrets = await readSecretWords(line.list("secret"), context);
  if (secrets.kind === "refused") throw secrets.error;
  const [command, ...args] = line.serverCommand ?? [];
  const target = {
    ...(command !== undefined && { command, args }),
    ...(url !== undefined && { url }),
  };
  const isSecret = Object.keys(secrets.values).join() === "secret";
  if (
    how === "add" &&
    !isSecret &&
    Object.keys(target).length !== (command === undefined ? 1 : 2)
  ) {
    throw notSent("invalid_arguments", `settings add ${name} needs a URL, or -- and a command.`);
  }
  const given = mergeConfig(flags.raw, secretFields(secrets.values, { ...before, ...target }));
  const part = mergeConfig({ ...before }, { ...target, ...given });
  unwrap(await settings.save(name, part));
  const entry = masked(part);
  return { result: { entry }, text: `Saved "${name}".` };
}

/** Where secrets belong: by themselves, if nothing else is there, headers or the token of a server behind a URL, else variables of a command. */
function secretFields(values: Record<string, string>, target: Members): Members {
  if (Object.keys(values).length === 0) return {};
  const { command, url, secret } = { ...target, ...values };
  if (secret !== undefined && command === undefined && url === undefined) return values;
  if (url === undefined) return { env: values };
  const { authToken, ...headers } = values;
  return { headers, ...(authToken !== undefined && { authToken }) };
}

async function remove(
  _line: CommandLine,
  _context: CommandContext,
  [name = ""]: readonly string[],
): Promise<Shown> {
  unwrap(await settings.remove(name));
  return { result: { removed: name }, text: `Removed "${name}".` };
}

async function rename(
  _line: CommandLine,
  _context: CommandContext,
  [from = "", to = ""]: readonly string[],
): Promise<Shown> {
  unwrap(await settings.rename(from, to));
  return { result: { from, to }, text: `Renamed "${from}" to "${to}".` };
}

function holds(part: Members): "secret" | "stdio server" | "http server" | "part of a server" {
  if (part["secret"] !== undefined) return "secret";
  if (part["command"] !== undefined) return "stdio server";
  return part["url"] === undefined ? "part of a server" : "http server";
}

/** Literal values of variables and headers may be secrets, so all of them are taken for one. */
function masked(part: Members): Members {
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === "authToken" || key === "secret") return [key, "[secret]"];
      if ((key !== "env" && key !== "headers") || !isMembers(value)) return [key, value];
      return [key, Object.fromEntries(Object.keys(value).map((name) => [name, "[secret]"]))];
    }),
  );
}

function unknownAction(word: string): ClientError {
  const near = nearest(word, Object.keys(ACTIONS));
  const hint = near === undefined ? "See postern-mcp help settings." : `Did you mean ${near}?`;
  return notSent(
    "invalid_arguments",
    `There is no command "settings ${word.slice(0, 40)}". ${hint}`,
  );
}
