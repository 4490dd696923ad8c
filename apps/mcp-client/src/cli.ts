import { readCommandLine, type CommandLine } from "./args/flags.ts";
import { nearest } from "./args/nearest.ts";
import { Account } from "./client/account.ts";
import type { CommandContext } from "./commands/context.ts";
import { Interrupts } from "./commands/interrupts.ts";
import type { Output } from "./commands/print.ts";
import { failureReport, type Report } from "./commands/report.ts";
import { notSent, type ClientError } from "./errors.ts";
import { VERSION } from "./version.ts";

type Command = (line: CommandLine, context: CommandContext) => Promise<Report>;

// Loaded when asked for: a call must not pay for the others.
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  call: async () => (await import("./commands/call.ts")).call,
  list: async () => (await import("./commands/list.ts")).list,
  describe: async () => (await import("./commands/describe.ts")).describe,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  login: async () => (await import("./commands/login.ts")).login,
  logout: async () => (await import("./commands/login.ts")).logout,
  status: async () => (await import("./commands/login.ts")).status,
  settings: async () => (await import("./commands/settings.ts")).settingsCommand,
};

/** Runs one command line and resolves with its exit code. Never throws for what a person or a peer did. */
export async function run(argv: readonly string[], out: Output): Promise<number> {
  const read = readCommandLine(argv);
  if (read.kind === "refused") return printUsage(read.error, out, read.json);
  const { line } = read;
  const [name = "", topic] = line.words;
  if (line.has("version")) return printText(`${VERSION}\n`, out);
  if (line.has("help") || name === "help" || argv.length === 0) {
    const { HELP, TOPICS } = await import("./commands/help.ts");
    return printText((name === "help" && topic ? TOPICS[topic] : undefined) ?? HELP, out);
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    const near = nearest(name, [...Object.keys(COMMANDS), "help"]);
    const hint = near === undefined ? "See postern-mcp --help." : `Did you mean ${near}?`;
    const message = `There is no command "${name.slice(0, 40)}". ${hint}`;
    return printUsage(notSent("invalid_arguments", message), out, line.has("json"));
  }
  const command = await load();
  const options = {
    json: line.has("json"),
    quiet: line.has("quiet"),
    showStderr: line.has("show-stderr"),
  };
  const interrupts = new Interrupts();
  try {
    const report = await command(line, {
      signal: interrupts.signal,
      hint: (text) => {
        if (!options.quiet) out.stderr(`${text}\n`);
      },
      say: (text) => out.stderr(`${text}\n`),
      stderrIsTerminal: out.stderrIsTerminal,
    });
    const { printReport } = await import("./commands/print.ts");
    await printReport(report, out, options);
    return interrupts.exitCode ?? report.exitCode;
  } finally {
    interrupts.close();
  }
}

async function printUsage(error: ClientError, out: Output, json: boolean): Promise<number> {
  const { printReport } = await import("./commands/print.ts");
  const report = failureReport({ command: "usage" }, new Account("config").fail({ error }));
  await printReport(report, out, { json, quiet: false, showStderr: false });
  return report.exitCode;
}

async function printText(text: string, out: Output): Promise<number> {
  await out.stdout(text);
  return 0;
}
