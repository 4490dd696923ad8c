import type { CommandLine } from "../args/flags.ts";
import { defaultConfigPath } from "../config.ts";
import { parseServerConfig } from "../config/parse.ts";
import { notSent, type ClientError } from "../errors.ts";
import type { OAuthConfig } from "../oauth/config.ts";
import { unwrap } from "../outcome.ts";
import type { Members } from "../protocol/json-rpc.ts";
import { findTarget } from "./target.ts";

/** A server that a person can log in to. */
export interface LoginTarget {
  readonly name: string;
  readonly raw: Members;
  readonly url: string;
  readonly allowPrivateNetwork: boolean;
  readonly storeName: string;
  /** Whether calls to it use the login already. */
  readonly configured: boolean;
}

/** Finds the server of a login. Throws a `ClientError` where a login has no place. */
export async function loginTarget(
  line: CommandLine,
  name: string | undefined,
): Promise<LoginTarget> {
  if (name === undefined || line.serverCommand) throw usage("Name one server.");
  if (/^[a-z]+:\/\//i.test(name)) {
    throw usage("A login belongs to a name: postern-mcp settings add NAME URL, then login NAME.");
  }
  const found = await findTarget(line, name);
  if (found.kind === "refused") throw found.error;
  const { raw } = found.target;
  const parsed = await parseServerConfig(raw, `The server "${name}"`);
  if (parsed.kind === "invalid") throw parsed.error;
  const { config } = parsed;
  if (!("url" in config)) {
    throw notSent("invalid_config", `"${name}" is started as a program; nobody logs in to it.`);
  }
  const { oauth } = config;
  const holdsToken = [config.authToken, config.authTokenFrom].some((token) => token !== undefined);
  if (holdsToken) {
    const message = `"${name}" is configured with a token of its own; a login has no place beside it.`;
    throw notSent("invalid_config", message);
  }
  const storeName = oauth && "storeName" in oauth ? oauth.storeName : name;
  const { url, allowPrivateNetwork } = config;
  return { name, raw, url, allowPrivateNetwork, storeName, configured: oauth !== undefined };
}

/** The names of all servers, of file and settings, whose calls use a login. */
export async function serversWithLogins(line: CommandLine): Promise<readonly string[]> {
  const { readServers } = await import("../config/file.ts");
  const path = line.value("config") ?? defaultConfigPath();
  const file = await readServers(path, { optional: !line.has("config") });
  if (file.kind === "refused") throw file.error;
  const { overlaySettings } = await import("../settings/overlay.ts");
  const { settings } = await import("../settings/settings.ts");
  const names = [...new Set([...file.servers.keys(), ...unwrap(await settings.names())])].sort();
  const found: string[] = [];
  for (const name of names) {
    const overlaid = await overlaySettings(name, file.servers.get(name));
    if (overlaid.kind === "refused") throw overlaid.error;
    if (overlaid.raw?.["oauth"] !== undefined) found.push(name);
  }
  return found;
}

/** What the flags of a command line say about a login. */
export function loginFlags(line: CommandLine): Partial<OAuthConfig> {
  const secret = line.value("client-secret-from");
  const [, kind, where] = /^(env|file):(.+)$/.exec(secret ?? "") ?? [];
  if (secret !== undefined && where === undefined) {
    throw usage("--client-secret-from takes env:VAR or file:PATH.");
  }
  const port = line.value("port");
  if (port !== undefined && !/^[0-9]{1,5}$/.test(port)) throw usage("--port takes a port.");
  const clientId = line.value("client-id");
  const document = line.value("client-metadata-url");
  return {
    ...(clientId !== undefined && { clientId }),
    ...(where !== undefined && {
      clientSecretFrom: kind === "env" ? { env: where } : { file: where },
    }),
    ...(document !== undefined && { clientMetadataUrl: document === "none" ? false : document }),
    ...(line.has("register") && { dynamicRegistration: true }),
    ...(port !== undefined && { redirectPort: Number(port) }),
    ...(line.has("scope") && { scopes: [...line.list("scope")] }),
  };
}

function usage(message: string): ClientError {
  return notSent("invalid_arguments", message);
}
