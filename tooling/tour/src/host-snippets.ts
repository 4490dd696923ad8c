import { join } from "node:path";
import type { Printer } from "./print.ts";

const bin = join(import.meta.dirname, "../../../apps/tmux-server/dist/bin.js");

/** What a person pastes into an MCP host to use the server that was just built. */
export function printHostSnippets(print: Printer): void {
  const entry = { command: process.execPath, args: [bin] };
  print.heading("Use it from your own host (reading only, until you set write_enabled)");
  print.line("  Claude Code");
  print.line(`    claude mcp add tmux -- ${[entry.command, ...entry.args].map(quoted).join(" ")}`);
  print.line("  Claude Desktop, Cursor and others, in their JSON configuration");
  print.line(`    ${JSON.stringify({ mcpServers: { tmux: entry } })}`);
  print.line("  Codex, in ~/.codex/config.toml");
  print.line("    [mcp_servers.tmux]");
  print.line(`    command = ${JSON.stringify(entry.command)}`);
  print.line(`    args = ${JSON.stringify(entry.args)}`);
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
