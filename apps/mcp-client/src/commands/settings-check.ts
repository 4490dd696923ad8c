import type { CommandLine } from "../args/flags.ts";
import { defaultConfigPath } from "../config.ts";
import { readServers } from "../config/file.ts";
import { parseServerConfig } from "../config/parse.ts";
import { notSent } from "../errors.ts";
import { unwrap } from "../outcome.ts";
import { overlaySettings } from "../settings/overlay.ts";
import { settings } from "../settings/settings.ts";
import type { Shown } from "./settings.ts";

/** Checks the servers of file and settings, merged as a call would merge them. Nothing is started or connected. */
export async function checkServers(line: CommandLine, wanted: string | undefined): Promise<Shown> {
  const path = line.value("config") ?? defaultConfigPath();
  const file = await readServers(path, { optional: !line.has("config") });
  if (file.kind === "refused") throw file.error;
  const all = [...new Set([...file.servers.keys(), ...unwrap(await settings.names())])].sort();
  const names = wanted === undefined ? all : all.filter((name) => name === wanted);
  if (wanted !== undefined && names.length === 0) {
    throw notSent(
      "unknown_server",
      `There is no server "${wanted.slice(0, 64)}" in ${path} or in the settings.`,
    );
  }
  const checked = await Promise.all(names.map((name) => check(name, file.servers)));
  const bad = checked.filter(({ ok }) => !ok).length;
  const text = checked.map(
    ({ name, problem }) =>
      `${problem === undefined ? "ok  " : "fail"} ${name}${problem === undefined ? "" : `: ${problem}`}`,
  );
  return {
    result: { servers: checked },
    text: text.length === 0 ? "No servers are configured." : text.join("\n"),
    ...(bad > 0 && {
      exitCode: 2,
      lastLine: `${String(bad)} of ${String(checked.length)} servers cannot be used as they are.`,
    }),
  };
}

async function check(name: string, servers: ReadonlyMap<string, Record<string, unknown>>) {
  const stored = unwrap(await settings.load(name, true));
  if (stored && "secret" in stored && !servers.has(name)) return { name, ok: true };
  const overlaid = await overlaySettings(name, servers.get(name));
  if (overlaid.kind === "refused") return { name, ok: false, problem: overlaid.error.message };
  const parsed = await parseServerConfig(overlaid.raw, `The server "${name}"`);
  const problem = parsed.kind === "invalid" ? parsed.error.message : undefined;
  return { name, ok: problem === undefined, ...(problem !== undefined && { problem }) };
}
