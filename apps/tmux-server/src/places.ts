import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Config } from "./config.ts";

/** The environment variables this program reads. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the configuration file is unless a flag names another. */
export function configPath(environment: Environment): string {
  return join(root(environment, "XDG_CONFIG_HOME", ".config"), "mcp-tmux", "config.json");
}

/** Where receipts are kept. */
export function stateDirectory(environment: Environment): string {
  return join(root(environment, "XDG_STATE_HOME", ".local/state"), "mcp-tmux");
}

/** The user's home directory. */
export function homeDirectory(environment: Environment): string {
  return environment["HOME"] || homedir();
}

export interface SocketFlags {
  readonly socket?: string | undefined;
  readonly socketName?: string | undefined;
}

/** The tmux socket in use: flag, configuration, the tmux this process runs in, tmux's default. */
export function socketPath(
  flags: SocketFlags,
  config: Pick<Config, "socket_path" | "socket_name">,
  environment: Environment,
): string {
  if (flags.socket !== undefined) return flags.socket;
  if (flags.socketName !== undefined) return namedSocket(flags.socketName, environment);
  if (config.socket_path !== null) return config.socket_path;
  if (config.socket_name !== null) return namedSocket(config.socket_name, environment);
  return ownTmux(environment)?.socket ?? namedSocket("default", environment);
}

export interface OwnPane {
  readonly socket: string;
  readonly paneId: string;
}

/** The pane this process runs in, if it runs in tmux. */
export function ownPane(environment: Environment): OwnPane | undefined {
  const own = ownTmux(environment);
  const paneId = environment["TMUX_PANE"];
  return own === undefined || paneId === undefined ? undefined : { socket: own.socket, paneId };
}

/** `$TMUX` is `socket,server pid,session number`; the socket's own path may hold commas. */
function ownTmux(environment: Environment): { socket: string } | undefined {
  const socket = /^(\/.*),\d+,\d+$/s.exec(environment["TMUX"] ?? "")?.[1];
  return socket === undefined ? undefined : { socket };
}

function namedSocket(name: string, environment: Environment): string {
  const parent = environment["TMUX_TMPDIR"] || "/tmp";
  return join(realPath(parent), `tmux-${String(process.getuid?.() ?? 0)}`, name);
}

function root(environment: Environment, variable: string, below: string): string {
  const named = environment[variable];
  return named !== undefined && isAbsolute(named) ? named : join(homeDirectory(environment), below);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
