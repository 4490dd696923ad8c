import { homedir } from "node:os";
import { join } from "node:path";

/** The environment that secrets, inherited names and the child's PATH come from; read when a server is started. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Where the configuration file lies unless `--config` says otherwise. */
export function defaultConfigPath(): string {
  const root = process.env["XDG_CONFIG_HOME"];
  return join(
    root?.startsWith("/") ? root : join(homedir(), ".config"),
    "postern",
    "mcp-client.json",
  );
}

/** Where sealed settings and logins lie. */
export function sealedDirectory(): string {
  const root = process.env["XDG_STATE_HOME"];
  return join(
    root?.startsWith("/") ? root : join(homedir(), ".local", "state"),
    "postern",
    "mcp-client",
  );
}
