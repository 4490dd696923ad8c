import { existsSync } from "node:fs";
import { killAllRunning } from "@postern/exec-sandbox";
import { loadConfig } from "./config-file.ts";
import { doctor } from "./doctor.ts";
import type { Command, Flags } from "./flags.ts";
import { createLog } from "./log.ts";
import { openApp } from "./open-app.ts";
import { configPath, type Environment, stateDirectory } from "./places.ts";
import { receiptFile } from "./receipt-book.ts";
import { receiptLog } from "./receipt-log.ts";
import { serve } from "./server.ts";
import { setSwitch } from "./tmux/person-switch.ts";
import { tokenBook } from "./token-book.ts";
import { tokenCommand } from "./token-command.ts";

export interface CommandSurroundings {
  readonly flags: Flags;
  readonly environment: Environment;
  readonly version: string;
  /** Fires when the process is asked to end. */
  readonly stop: AbortSignal;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** Reads the configuration, runs one command and resolves with the exit code. */
export async function runCommand(
  command: Exclude<Command, { kind: "help" | "version" }>,
  surroundings: CommandSurroundings,
): Promise<number> {
  const { flags, environment, version, stop, print, printError } = surroundings;
  const path = flags.config ?? configPath(environment);
  if (command.kind === "config" && command.what === "path") {
    print(`${path}\n`);
    return 0;
  }
  const tokens = tokenBook(stateDirectory(environment), Date.now);
  if (command.kind === "token") return tokenCommand(command, tokens, { print, printError });
  const ifUsualMissing = command.kind === "serve" ? "create" : "defaults";
  const ifMissing = flags.config === undefined ? ifUsualMissing : "refuse";
  const loaded = await loadConfig(path, { ifMissing });
  if (loaded.kind === "refused") {
    printError(`${loaded.problems.join("\n")}\n`);
    return 2;
  }
  if (command.kind === "config") {
    print(`${path}: valid.\n`);
    return 0;
  }
  const { config, warning } = loaded;
  const log = createLog({ level: flags.logLevel, now: () => new Date(), write: printError });
  if (warning !== undefined) log("warn", "configuration_not_created", { warning });
  const closing = new AbortController();
  const { app, book } = openApp({
    flags,
    config,
    configPath: path,
    environment,
    version,
    log,
    closing: closing.signal,
  });
  try {
    switch (command.kind) {
      case "serve": {
        const { allowed_sessions: allowed } = config;
        log("info", "started", {
          version,
          socket: app.tmux.socket,
          write_enabled: app.writeEnabled,
          allowed_sessions: allowed.length === 0 ? "all" : allowed,
        });
        if (flags.http !== undefined) {
          // Loaded only now, so that the pipe starts without the HTTP stack.
          const { serveHttp } = await import("./serve-http.ts");
          return await serveHttp(app, {
            address: flags.http,
            tokens,
            signal: stop,
            print,
            printError,
          });
        }
        const end = await serve(app, { legacy: flags.legacy, signal: stop });
        return end.kind === "end_of_input" || end.kind === "closed" ? 0 : 1;
      }
      case "doctor": {
        const report = await doctor(app, stateDirectory(environment));
        print(report.text);
        return report.problems === 0 ? 0 : 1;
      }
      case "log": {
        // Looking must not make a store where there is none.
        if (existsSync(receiptFile(stateDirectory(environment)))) {
          print(await receiptLog(await app.receipts(), command));
        }
        return 0;
      }
      case "switch": {
        const { ok, message } = await setSwitch(app, command.to, command.session);
        (ok ? print : printError)(`${message}\n`);
        return ok ? 0 : 1;
      }
    }
  } finally {
    closing.abort();
    await book.close();
    await app.sign.close();
    await killAllRunning();
  }
}
