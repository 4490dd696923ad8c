import { readFileSync } from "node:fs";
import { readCommandLine } from "./flags.ts";
import { helpText } from "./help.ts";

/** Runs the program and resolves with its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const line = readCommandLine(args);
  if (line.kind === "refused") return usage(`postern-tmux: ${line.problem} See --help.`);
  const { command, flags } = line;
  switch (command.kind) {
    case "help":
      process.stdout.write(helpText);
      return 0;
    case "version":
      process.stdout.write(`${packageVersion()}\n`);
      return 0;
    case "serve":
    case "doctor":
    case "config":
    case "log":
    case "token":
    case "switch": {
      if (process.platform === "win32") {
        return usage("postern-tmux: tmux does not run on Windows; run this inside WSL.");
      }
      if (isOlderNode(process.versions.node)) {
        return usage(`postern-tmux: needs Node 22.18 or newer, this is ${process.versions.node}.`);
      }
      // Loaded only now, so that help and wrong usage cost nothing.
      const { runCommand } = await import("./run-command.ts");
      return runCommand(command, {
        flags,
        environment: process.env,
        version: packageVersion(),
        stop: stopSignal(),
        print: (text) => void process.stdout.write(text),
        printError: (text) => void process.stderr.write(text),
      });
    }
  }
}

/** Whether the running Node lacks the SQLite that keeps receipts. */
function isOlderNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < 22 || (major === 22 && minor < 18);
}

function usage(text: string): 2 {
  process.stderr.write(`${text}\n`);
  return 2;
}

/** Fires when the process is asked to end. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.once(name, () => stop.abort());
  }
  return stop.signal;
}

function packageVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
