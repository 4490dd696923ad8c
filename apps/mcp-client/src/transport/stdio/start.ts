import { existsSync } from "node:fs";
import {
  buildEnvironment,
  CLIENT_ENVIRONMENT,
  ExecSandboxError,
  openDirectory,
  resolveExecutable,
  startProcess,
  type PinnedDirectory,
  type ResolvedExecutable,
} from "@postern/exec-sandbox";
import { notSent, type ClientError } from "../../errors.ts";
import { planLaunch, type LaunchPlan } from "./command.ts";
import type { StdioLink } from "./stdio-link.ts";

export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Literal values and resolved secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly inheritEnv: readonly string[];
  /** Where inherited values come from. */
  readonly source: Readonly<Record<string, string | undefined>>;
  readonly closeGraceMs: number;
  readonly killGraceMs: number;
  readonly maxMessageBytes: number;
}

export type Started = { kind: "started"; link: StdioLink } | { kind: "failed"; error: ClientError };

/** Starts a server as a child process and connects to its standard streams. */
export async function startStdio(o: StdioOptions): Promise<Started> {
  const { PATH: ownPath, ...set } = o.env;
  const plan = planLaunch({
    command: o.command,
    args: o.args,
    cwd: o.cwd,
    path: ownPath ?? o.source["PATH"] ?? "",
    platform: process.platform,
    exists: existsSync,
  });
  const [found, opened] = await Promise.all([
    resolveExecutable(plan.program, { searchPath: plan.searchPath }),
    openDirectory(o.cwd),
  ]);
  if (opened.kind === "refused") {
    const message = `The working directory cannot be used (${opened.code}).`;
    return failed("spawn_failed", message, opened.code);
  }
  try {
    if (found.kind === "refused") return executableRefused(found.code, o.command, plan);
    return await startFound(o, plan, set, found.executable, opened.directory);
  } catch (error) {
    if (!(error instanceof ExecSandboxError)) throw error;
    const code = error.code === "invalid_environment" ? "invalid_config" : "spawn_failed";
    return failed(code, error.message, error.code);
  } finally {
    await opened.directory.close();
  }
}

async function startFound(
  o: StdioOptions,
  plan: LaunchPlan,
  set: Readonly<Record<string, string>>,
  executable: ResolvedExecutable,
  directory: PinnedDirectory,
): Promise<Started> {
  const env = buildEnvironment({
    source: o.source,
    inherit: [...CLIENT_ENVIRONMENT, ...o.inheritEnv],
    set,
    searchPath: plan.searchPath,
  });
  const outcome = await startProcess(
    { executable, args: plan.args, directory, env },
    {
      stopBy: [
        { step: "end_stdin", graceMs: o.closeGraceMs },
        { step: "TERM", graceMs: o.killGraceMs },
      ],
    },
  );
  if (outcome.kind === "not_started") {
    const message = `The server could not be started (${outcome.code}).`;
    return failed("spawn_failed", message, outcome.code);
  }
  // Loaded while the server starts; until then its output waits in the pipe.
  const { StdioLink } = await import("./stdio-link.ts");
  return { kind: "started", link: new StdioLink(outcome.process, o.maxMessageBytes) };
}

function executableRefused(code: string, command: string, plan: LaunchPlan): Started {
  switch (code) {
    case "batch_file":
      return failed(
        "spawn_refused",
        `"${command}" is a batch file, which needs a shell. Configure command "node" with the script it runs as the first of args.`,
        code,
      );
    case "writable_by_others":
      return failed(
        "spawn_refused",
        `The program of "${command}", or its folder, can be written by everybody. Take that right away, or use another copy.`,
        code,
      );
    case "not_found":
      return failed(
        "spawn_failed",
        `The command "${command}" was not found. Looked up: ${plan.program.includes("/") ? plan.program : `${plan.program} in PATH`}.`,
        code,
      );
    default:
      return failed("spawn_failed", `The command "${command}" cannot be started (${code}).`, code);
  }
}

function failed(
  code: "invalid_config" | "spawn_failed" | "spawn_refused",
  message: string,
  reason: string,
): Started {
  return { kind: "failed", error: notSent(code, message, { data: { reason } }) };
}
