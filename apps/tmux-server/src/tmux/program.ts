import { isAbsolute } from "node:path";
import {
  buildEnvironment,
  type ChildEnvironment,
  openDirectory,
  type PinnedDirectory,
  type ResolvedExecutable,
  resolveExecutable,
} from "@postern/exec-sandbox";
import type { TmuxOutcome } from "./tmux-outcome.ts";

export interface TmuxOptions {
  /** Name looked up in PATH, or an absolute path. */
  readonly path: string;
  /** The socket's absolute path. */
  readonly socket: string;
  readonly timeoutMs: number;
  /** Where PATH comes from; nothing else of it reaches tmux. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The tmux program with the environment and directory every invocation gets. */
export interface Program {
  readonly executable: ResolvedExecutable;
  readonly directory: PinnedDirectory;
  readonly env: ChildEnvironment;
}

export interface ProgramFinder {
  find(): Promise<Program | TmuxOutcome>;
  /** Looks the file up again at the next call. */
  forget(): void;
}

/** Finds the tmux program once; a failure is not remembered, so that tmux may be installed later. */
export function programFinder({ path, environment }: TmuxOptions): ProgramFinder {
  const searchPath = absolutePath(environment["PATH"]);
  let program: Promise<Program | TmuxOutcome> | undefined;

  async function look(): Promise<Program | TmuxOutcome> {
    const resolved = await resolveExecutable(path, { searchPath });
    if (resolved.kind === "refused") {
      program = undefined;
      return resolved.code === "not_found"
        ? { kind: "not_found", path }
        : { kind: "not_started", code: resolved.code };
    }
    const opened = await openDirectory("/");
    if (opened.kind === "refused") {
      program = undefined;
      return { kind: "not_started", code: opened.code };
    }
    const env = buildEnvironment({ source: {}, inherit: [], searchPath });
    return { executable: resolved.executable, directory: opened.directory, env };
  }

  return {
    find: () => (program ??= look()),
    forget() {
      program = undefined;
    },
  };
}

/** PATH without its relative parts, which would depend on where this process was started. */
function absolutePath(path: string | undefined): string {
  const parts = (path ?? "").split(":").filter(isAbsolute);
  return parts.length > 0 ? parts.join(":") : "/usr/local/bin:/usr/bin:/bin";
}
