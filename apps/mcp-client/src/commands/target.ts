import { resolve } from "node:path";
import type { CommandLine } from "../args/flags.ts";
import { nearest } from "../args/nearest.ts";
import { defaultConfigPath } from "../config.ts";
import { mergeConfig } from "../config/merge.ts";
import { notSent, type ClientError } from "../errors.ts";
import type { Members } from "../protocol/json-rpc.ts";
import { isAddress } from "./shown-server.ts";

/** One server to talk to and where each of its settings comes from. */
export interface Target {
  readonly name: string | undefined;
  readonly raw: Members;
  readonly origins: ReadonlyMap<string, string>;
}

export type FoundTarget = { kind: "ok"; target: Target } | { kind: "refused"; error: ClientError };

/** Finds a server by name in the configuration file, or takes the command after `--`; flags are laid over it. */
export async function findTarget(
  line: CommandLine,
  name: string | undefined,
): Promise<FoundTarget> {
  const flags = await flagOverrides(line);
  if (flags.kind === "refused") return flags;
  const base = await baseConfig(line, name);
  if (base.kind === "refused") return base;
  const origins = new Map(base.origins);
  for (const [key, flag] of flags.origins) origins.set(key, flag);
  return { kind: "ok", target: { name, raw: mergeConfig(base.raw, flags.raw), origins } };
}

type Base =
  | { kind: "ok"; raw: Members; origins: ReadonlyMap<string, string> }
  | { kind: "refused"; error: ClientError };

async function baseConfig(line: CommandLine, name: string | undefined): Promise<Base> {
  if (line.serverCommand) {
    const [command, ...args] = line.serverCommand;
    if (command === undefined) return refuse("invalid_arguments", "No command stands after --.");
    const raw = { command, args };
    return { kind: "ok", raw, origins: originsOf(raw, "command line") };
  }
  if (name === undefined) {
    return refuse("invalid_arguments", "Name a server, or give its command after --.");
  }
  if (isAddress(name)) {
    const raw = { url: name };
    return { kind: "ok", raw, origins: originsOf(raw, "command line") };
  }
  const path = line.value("config") ?? defaultConfigPath();
  const { readServers } = await import("../config/file.ts");
  const file = await readServers(path, { optional: !line.has("config") });
  if (file.kind === "refused") return file;
  const own = file.servers.get(name);
  const { overlaySettings, storedNames } = await import("../settings/overlay.ts");
  const overlaid = await overlaySettings(name, own);
  if (overlaid.kind === "refused") return overlaid;
  const { raw, stored = {} } = overlaid;
  if (raw) {
    const origins = new Map([...originsOf(own ?? {}, path), ...originsOf(stored, "settings")]);
    return { kind: "ok", raw, origins };
  }
  const near = nearest(name, [...file.servers.keys(), ...(await storedNames())]);
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  const message = `There is no server "${name.slice(0, 64)}" in ${path} or in the settings.${hint}`;
  return refuse("unknown_server", message);
}

function originsOf(raw: Members, origin: string): Map<string, string> {
  return new Map(Object.keys(raw).map((key) => [key, origin]));
}

type Overrides =
  | { kind: "ok"; raw: Members; origins: Map<string, string> }
  | { kind: "refused"; error: ClientError };

/** The settings that the flags of a command line give. */
export async function flagOverrides(line: CommandLine): Promise<Overrides> {
  const raw: Members = {};
  const origins = new Map<string, string>();
  const take = (field: string, flag: string, value: unknown): void => {
    raw[field] = value;
    origins.set(field, `--${flag}`);
  };
  for (const [flag, field] of [
    ["timeout", "timeoutMs"],
    ["max-bytes", "maxMessageBytes"],
  ] as const) {
    const text = line.value(flag);
    if (text === undefined) continue;
    if (!/^[0-9]{1,12}$/.test(text)) {
      return refuse(
        "invalid_arguments",
        `--${flag} takes a whole number, not "${text.slice(0, 40)}".`,
      );
    }
    take(field, flag, Number(text));
  }
  // Who waits less for an answer does not want to wait longer for the server to be ready.
  const timeoutMs = Number(raw["timeoutMs"] ?? Infinity);
  if (timeoutMs < 30_000) take("handshakeTimeoutMs", "timeout", Math.max(500, timeoutMs));
  const protocol = line.value("protocol");
  if (protocol !== undefined) take("protocolVersion", "protocol", protocol);
  const cwd = line.value("cwd");
  if (cwd !== undefined) take("cwd", "cwd", resolve(cwd));
  if (line.has("inherit-env")) take("inheritEnv", "inherit-env", line.list("inherit-env"));
  const env: Record<string, string> = {};
  for (const pair of line.list("env")) {
    const at = pair.indexOf("=");
    if (at < 1) return refuse("invalid_arguments", "--env takes NAME=VALUE.");
    env[pair.slice(0, at)] = pair.slice(at + 1);
  }
  if (line.has("env")) take("env", "env", env);
  if (HTTP_FLAGS.some((flag) => line.has(flag))) {
    const { readHttpFlags } = await import("./http-flags.ts");
    const read = readHttpFlags(line);
    if (read.kind === "refused") return read;
    for (const [field, value] of Object.entries(read.raw)) {
      raw[field] = value;
      origins.set(field, "command line");
    }
  }
  return { kind: "ok", raw, origins };
}

const HTTP_FLAGS = ["header", "header-from", "token-env", "token-file"] as const;

function refuse(
  code: "invalid_arguments" | "invalid_config" | "unknown_server",
  message: string,
): { kind: "refused"; error: ClientError } {
  return { kind: "refused", error: notSent(code, message) };
}
