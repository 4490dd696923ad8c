import { killAllRunning } from "@postern/exec-sandbox";
import type { Config } from "./config.ts";
import { loadConfig } from "./config-file.ts";
import { type Command, type Flags, readCommandLine } from "./flags.ts";
import { helpText } from "./help.ts";
import { createLog } from "./log.ts";
import { openApp, packageVersion } from "./open-app.ts";
import { configPath, type Environment, stateDirectory } from "./places.ts";
import { doctor } from "./doctor.ts";
import { serve } from "./server.ts";
import { setSwitch } from "./tmux/person-switch.ts";

/** Runs the program and resolves with its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const line = readCommandLine(args);
  if (line.kind === "refused") return fail(`postern-tmux: ${line.problem} See --help.`);
  const { command, flags } = line;
  if (command.kind === "help") return print(helpText);
  if (command.kind === "version") return print(`${packageVersion()}\n`);
  if (process.platform === "win32") {
    return fail("postern-tmux: tmux does not run on Windows; run this inside WSL.");
  }
  const environment: Environment = process.env;
  const path = flags.config ?? configPath(environment);
  if (command.kind === "config" && command.what === "path") return print(`${path}\n`);
  const loaded = await loadConfig(path, {
    ifMissing:
      flags.config !== undefined ? "refuse" : command.kind === "serve" ? "create" : "defaults",
  });
  if (loaded.kind === "refused") return fail(loaded.problems.join("\n"));
  if (command.kind === "config") return print(`${path}: valid.\n`);
  if (loaded.warning !== undefined) process.stderr.write(`${loaded.warning}\n`);
  return run(command, { flags, config: loaded.config, configPath: path, environment });
}

interface Surroundings {
  readonly flags: Flags;
  readonly config: Config;
  readonly configPath: string;
  readonly environment: Environment;
}

type RunningCommand = Exclude<Command, { kind: "help" | "version" | "config" }>;

async function run(command: RunningCommand, surroundings: Surroundings): Promise<number> {
  const { flags, config, environment } = surroundings;
  const log = createLog({
    level: flags.logLevel,
    now: () => new Date(),
    write: (text) => process.stderr.write(text),
  });
  const ending = new AbortController();
  const closing = new AbortController();
  const { app, book } = openApp({ ...surroundings, log, closing: closing.signal });
  const stop = (): void => ending.abort();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, stop);
  try {
    switch (command.kind) {
      case "serve": {
        log("info", "started", {
          version: app.version,
          socket: app.tmux.socket,
          write_enabled: app.writeEnabled,
          allowed_sessions: config.allowed_sessions.length === 0 ? "all" : config.allowed_sessions,
        });
        const end = await serve(app, { legacy: flags.legacy, signal: ending.signal });
        log("info", "ended", { ...end });
        return end.kind === "end_of_input" || end.kind === "closed" ? 0 : 1;
      }
      case "doctor": {
        const report = await doctor(app, stateDirectory(environment));
        print(report.text);
        return report.problems === 0 ? 0 : 1;
      }
      case "switch": {
        const outcome = await setSwitch(app, command.to, command.session);
        return outcome.ok ? print(`${outcome.message}\n`) : fail(outcome.message, 1);
      }
    }
  } finally {
    closing.abort(new Error("The server ends."));
    await book.close();
    await killAllRunning();
  }
}

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function fail(text: string, code: 1 | 2 = 2): number {
  process.stderr.write(`${text}\n`);
  return code;
}
