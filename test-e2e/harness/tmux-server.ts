import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerConfig } from "@postern/mcp-client";
import type { Surroundings } from "./surroundings.ts";

export const tmuxServerBin = join(import.meta.dirname, "../../apps/tmux-server/dist/bin.js");

/** What the person wrote into the configuration file of the server under test. */
export interface PersonsSettings {
  readonly write_enabled?: boolean;
  readonly allowed_sessions?: readonly string[];
  readonly auth_token?: string | null;
  readonly tmux_path?: string;
  readonly tmux_timeout_ms?: number;
}

export function writeSettings({ home, socket }: Surroundings, settings: PersonsSettings): string {
  const directory = join(home, ".config/mcp-tmux");
  const file = join(directory, "config.json");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ version: "1.0.0", socket_path: socket, ...settings }), {
    mode: 0o600,
  });
  return file;
}

/** How a client starts the built server against the private tmux server. */
export function tmuxServer(
  surroundings: Surroundings,
  protocolVersion: ServerConfig["protocolVersion"],
  flags: readonly string[] = [],
): ServerConfig {
  return {
    command: process.execPath,
    args: [tmuxServerBin, ...flags],
    env: { ...surroundings.env },
    cwd: surroundings.folder,
    protocolVersion,
    timeoutMs: 20_000,
  };
}
