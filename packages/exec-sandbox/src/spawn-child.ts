import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Command } from "./command.ts";
import { markedEnvironment } from "./environment.ts";
import { newMarker } from "./marker.ts";
import { spawnCodeOf, type SpawnCode } from "./spawn-code.ts";

/** A process that runs, with its exit watched from the first tick. */
export interface Child {
  readonly pid: number;
  readonly process: ChildProcess;
  readonly leader: Leader;
  /** Carried by every process of the run; absent when its processes may stay. */
  readonly marker: string | undefined;
}

/** The direct child of a run: the leader of its group and session. */
export interface Leader {
  readonly exited: Promise<ChildExit>;
  /** Undefined while it runs. */
  exit(): ChildExit | undefined;
}

export interface ChildExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export type Spawned =
  | { readonly kind: "spawned"; readonly child: Child }
  | { readonly kind: "not_started"; readonly code: SpawnCode };

/** The only spawn of a command: argv, own session and group, three descriptors. */
export async function spawnChild(
  command: Command,
  o: { readonly cwd: string; readonly marked: boolean; readonly stdin: "ignore" | "pipe" },
): Promise<Spawned> {
  let child: ChildProcess;
  let marker: string | undefined;
  try {
    if (o.marked) marker = newMarker();
    child = spawn(command.executable.path, command.args, {
      // What is run is the file that was checked; Python's environments and multi-call programs want its link.
      argv0: command.executable.invokedAs,
      cwd: o.cwd,
      env: markedEnvironment(command.env, marker),
      // setsid: signals to the group reach this tree and nothing else.
      detached: true,
      stdio: [o.stdin, "pipe", "pipe"],
      windowsHide: true,
    });
  } catch (error) {
    return { kind: "not_started", code: spawnCodeOf(error) };
  }
  if (child.pid === undefined) {
    const [error] = (await once(child, "error")) as unknown[];
    return { kind: "not_started", code: spawnCodeOf(error) };
  }
  const { pid } = child;
  return { kind: "spawned", child: { pid, process: child, leader: watch(child), marker } };
}

function watch(child: ChildProcess): Leader {
  let exit: ChildExit | undefined;
  const exited = new Promise<ChildExit>((resolve) => {
    child.once("exit", (exitCode, signal) => {
      exit = { exitCode, signal };
      resolve(exit);
    });
  });
  return { exited, exit: () => exit };
}
