import type { CommandLine } from "../args/flags.ts";
import { Account } from "../client/account.ts";
import { closeQuietly } from "../client/closing.ts";
import { openConnection } from "../client/connection.ts";
import { processEnvironment } from "../config.ts";
import { ClientError } from "../errors.ts";
import { createOAuth } from "../oauth/create.ts";
import type { OAuth, OAuthState } from "../oauth/oauth.ts";
import { unwrap } from "../outcome.ts";
import { settings } from "../settings/settings.ts";
import type { CommandContext } from "./context.ts";
import { loginFlags, loginTarget, serversWithLogins, type LoginTarget } from "./login-target.ts";
import { terminalText } from "./render-reply.ts";
import { failureReport, type Report } from "./report.ts";

/** What a login command shows. */
interface Shown {
  readonly result: object;
  readonly text: string;
  readonly exitCode?: number;
}

type Action = (
  login: OAuth,
  target: LoginTarget,
  line: CommandLine,
  context: CommandContext,
) => Promise<Shown>;

/** `login SERVER`: shows the address to open, waits for the person, and tries the login on the server. */
export function login(line: CommandLine, context: CommandContext): Promise<Report> {
  return act("login", logIn, line, context);
}

/** `logout SERVER`. */
export function logout(line: CommandLine, context: CommandContext): Promise<Report> {
  return act("logout", logOut, line, context);
}

/** `status [SERVER]`: what is known of one login or of all, without their tokens. Exit 5 if one is missing. */
export async function status(line: CommandLine, context: CommandContext): Promise<Report> {
  if (line.words.length > 1) return act("status", showState, line, context);
  const account = new Account("login");
  try {
    const names = await serversWithLogins(line);
    const one = (name: string): CommandLine => ({ ...line, words: ["status", name] });
    const reports: Report[] = [];
    for (const name of names) reports.push(await act("status", showState, one(name), context));
    const { detail } = account.succeed(undefined, "not_sent");
    return {
      command: "status",
      exitCode: Math.max(0, ...reports.map(({ exitCode }) => exitCode)),
      result: {
        servers: reports.map(({ server, result, error }) => ({ server, ...shown(result, error) })),
      },
      detail,
      text: names.length === 0 ? "No server uses a login." : reports.map(paragraph).join("\n"),
    };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return failureReport({ command: "status" }, account.fail({ error }));
  }
}

function shown(result: unknown, error: ClientError | undefined) {
  return error ? { error: { code: error.code, message: error.message } } : { result };
}

function paragraph({ server = "", text, error }: Report): string {
  const body = error ? `${error.code}: ${error.message}` : text;
  return terminalText(`${server}\n${body.replace(/^/gm, "  ")}`);
}

async function act(
  command: string,
  action: Action,
  line: CommandLine,
  context: CommandContext,
): Promise<Report> {
  const [, name] = line.words;
  const subject = { command, ...(name !== undefined && { server: name }) };
  const account = new Account("login");
  try {
    const target = await loginTarget(line, name);
    const { url, allowPrivateNetwork, storeName } = target;
    const config = { url, allowPrivateNetwork, ...loginFlags(line) };
    const made = unwrap(createOAuth(config, storeName));
    try {
      const shown = await action(made, target, line, context);
      const { detail } = account.succeed(shown.result, "not_sent");
      return { ...subject, exitCode: 0, detail, ...shown, text: terminalText(shown.text) };
    } finally {
      made.close();
    }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return failureReport(subject, account.fail({ error }));
  }
}

async function logIn(
  made: OAuth,
  target: LoginTarget,
  line: CommandLine,
  context: CommandContext,
): Promise<Shown> {
  const { signal } = context;
  const done = unwrap(
    await made.login({
      signal,
      acceptNewIssuer: line.has("accept-new-issuer"),
      // Shown also under --quiet: without it nobody could log in.
      onUrl: async (url) => {
        context.say(`Open this address to log in:\n${url}`);
        if (!line.has("no-browser")) await open(url);
      },
    }),
  );
  if (!target.configured) await remember(target);
  const unverified = await tryOut(target, context);
  const state = unwrap(await made.state());
  const text =
    unverified === undefined
      ? `Logged in to ${target.name}; the server accepted it.`
      : `Logged in to ${target.name}, but the server has not answered under it yet: ${unverified}`;
  return { result: state, text: `${text}\n${describe({ ...done, ...state })}` };
}

/** The address stands on the screen, so a browser that does not open is no failure. */
async function open(url: string): Promise<void> {
  const { openInBrowser } = await import("@postern/exec-sandbox");
  await openInBrowser(new URL(url), processEnvironment());
}

/** From now on calls to this server use the login. */
async function remember({ name, storeName }: LoginTarget): Promise<void> {
  const stored = unwrap(await settings.load(name, true));
  unwrap(await settings.save(name, { ...stored, oauth: { storeName } }));
}

/** A login is only known to work once the server has answered under it. Says why it has not. */
async function tryOut(
  { raw, storeName }: LoginTarget,
  { signal }: CommandContext,
): Promise<string | undefined> {
  const account = new Account("handshake");
  const opened = await openConnection({ ...raw, oauth: { storeName } }, { signal, account });
  if (opened.kind === "failed") return opened.failure.error.message;
  await closeQuietly(opened.connection.peer.link);
  return undefined;
}

async function logOut(made: OAuth, { name }: LoginTarget): Promise<Shown> {
  const report = unwrap(await made.logout());
  const atServer = {
    revoked: "and revoked at the authorization server",
    not_revoked: "but not revoked at the authorization server, where it ends by itself",
    unknown: "and it is unknown whether the authorization server has revoked it",
  }[report.atServer];
  return { result: report, text: `The login of ${name} is forgotten here, ${atServer}.` };
}

async function showState(made: OAuth, { name }: LoginTarget): Promise<Shown> {
  const state = unwrap(await made.state());
  if (state.kind === "logged_in") return { result: state, text: describe(state) };
  const text = `Nobody is logged in to ${name}. Run: postern-mcp login ${name}`;
  return { result: state, text, exitCode: 5 };
}

function describe(state: OAuthState): string {
  const ends = state.expiresAt === undefined ? "unknown" : new Date(state.expiresAt).toISOString();
  return [
    `issuer    ${state.issuer ?? ""}`,
    `client    ${state.clientId ?? ""}`,
    `scopes    ${state.scopes?.join(" ") || "not told"}`,
    `expires   ${ends}${state.renewable ? ", renewed by itself" : ""}`,
    `verified  ${state.verified ? "yes" : "not yet"}`,
    `kept in   ${state.protection}`,
  ].join("\n");
}
