import { protocolRevisions } from "@postern/protocol";
import { bindTool, type ToolBinding } from "@postern/protocol/server";
import type { App } from "../app.ts";
import { getServerInfo } from "../contract/index.ts";

/** Describes this server; answers whether or not tmux is there. */
export function getServerInfoTool(app: App): ToolBinding {
  return bindTool(getServerInfo, async (_args, { principal }) => {
    const version = await app.tmux.version();
    const isUsable = "text" in version;
    const answer = isUsable ? await app.tmux.run(["list-sessions", "-F", "x"]) : undefined;
    return {
      version: app.version,
      write_enabled: app.writeEnabled,
      tmux_available: isUsable,
      config_path: shownPath(app, app.configPath),
      buffer_count: app.positions.count(principal.subject),
      tmux_version: isUsable ? version.text : null,
      server_running: answer?.kind === "answered",
      socket_path: shownPath(app, app.tmux.socket),
      command_allowlist: app.config.allowed_commands !== null,
      protocol_revisions: [...protocolRevisions],
    };
  });
}

function shownPath({ homeToHide }: App, path: string): string {
  if (homeToHide === undefined) return path;
  return path === homeToHide || path.startsWith(`${homeToHide}/`)
    ? `~${path.slice(homeToHide.length)}`
    : path;
}
