import { type RunOutcome, runCommand } from "@postern/exec-sandbox";
import { isAtLeast, parseTmuxVersion, type TmuxVersion } from "../domain/tmux-version.ts";
import { ProcessGate } from "./process-gate.ts";
import { type Program, programFinder, type TmuxOptions } from "./program.ts";
import { runLarge } from "./run-large.ts";
import { exitOutcome, type TmuxOutcome } from "./tmux-outcome.ts";

export interface RunOptions {
  readonly stdin?: Uint8Array;
  /** Lets the answer be up to 64 MiB instead of 4 MiB; only for commands that change nothing, as it may run twice. */
  readonly large?: boolean;
}

/** The one way to tmux: each call is one process with constant arguments, numbers and ids. */
export interface Tmux {
  readonly socket: string;
  run(args: readonly string[], options?: RunOptions): Promise<TmuxOutcome>;
  /** The version of the program, or why it cannot be used; looked up once and again after it moved. */
  version(): Promise<TmuxVersion | Exclude<TmuxOutcome, { kind: "answered" }>>;
}

const outputCapBytes = 4 * 1024 * 1024;
const limits = { running: 8, waiting: 256 };
const tooMany: TmuxOutcome = { kind: "too_many" };

/** Opens the way to one tmux server. Nothing runs until the first call. */
export function createTmux(options: TmuxOptions): Tmux {
  const gate = new ProcessGate(limits);
  const program = programFinder(options);
  let known: { readonly path: string; readonly version: TmuxVersion } | undefined;

  async function start(
    found: Program,
    args: readonly string[],
    { stdin, large = false }: RunOptions,
  ): Promise<TmuxOutcome> {
    const command = { ...found, args, ...(stdin === undefined ? {} : { stdin }) };
    const limited = async (): Promise<TmuxOutcome> =>
      tmuxOutcome(
        await runCommand(command, {
          timeoutMs: options.timeoutMs,
          outputCapBytes,
          onOverflow: "kill",
          survivors: "leave",
        }),
        options,
      );
    let outcome = (await gate.run(limited)) ?? tooMany;
    if (outcome.kind === "too_large" && large) {
      outcome = (await gate.run(() => runLarge(command, options))) ?? tooMany;
    }
    if (outcome.kind === "not_found") forget();
    return outcome;
  }

  function forget(): void {
    known = undefined;
    program.forget();
  }

  async function checkedProgram(): Promise<
    { readonly found: Program; readonly version: TmuxVersion } | TmuxOutcome
  > {
    const found = await program.find();
    if ("kind" in found) return found;
    if (known?.path === found.executable.path) return { found, version: known.version };
    const outcome = await start(found, ["-V"], {});
    if (outcome.kind !== "answered") return outcome;
    const text = outcome.stdout.toString();
    const version = parseTmuxVersion(text);
    if (version === undefined || !isAtLeast(version, 3, 2, "a")) {
      return { kind: "too_old", version: version?.text ?? text.trim().slice(0, 64) };
    }
    known = { path: found.executable.path, version };
    return { found, version };
  }

  return {
    socket: options.socket,
    async run(args, runOptions = {}) {
      const checked = await checkedProgram();
      if ("kind" in checked) return checked;
      // -u: UTF-8 whatever the locale; -N: a command never founds a server.
      return start(checked.found, ["-u", "-N", "-S", options.socket, ...args], runOptions);
    },
    async version() {
      const checked = await checkedProgram();
      if (!("kind" in checked)) return checked.version;
      return checked.kind === "answered" ? { kind: "lost", detail: "no version" } : checked;
    },
  };
}

function tmuxOutcome(outcome: RunOutcome, { path, socket, timeoutMs }: TmuxOptions): TmuxOutcome {
  switch (outcome.kind) {
    case "exited": {
      if (outcome.stdout.truncated) return { kind: "too_large", limitBytes: outputCapBytes };
      const { head, tail } = outcome.stdout.bytes();
      const stdout = Buffer.concat([head, tail]);
      const message = outcome.stderr.head + outcome.stderr.tail;
      return exitOutcome({ exitCode: outcome.exitCode, stdout, message, socket });
    }
    case "timed_out":
      return { kind: "timed_out", limitMs: timeoutMs };
    case "output_limit":
      return { kind: "too_large", limitBytes: outputCapBytes };
    case "not_started":
      return outcome.code === "executable_missing" || outcome.code === "identity_changed"
        ? { kind: "not_found", path }
        : { kind: "not_started", code: outcome.code };
    case "signaled":
      return { kind: "lost", detail: `ended by ${outcome.signal}` };
    case "cancelled":
      return { kind: "lost", detail: "cancelled" };
    case "lost":
      return { kind: "lost", detail: outcome.detail };
  }
}
