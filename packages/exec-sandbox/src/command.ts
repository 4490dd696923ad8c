import type { PinnedDirectory } from "./directory.ts";
import type { ChildEnvironment } from "./environment.ts";
import type { ResolvedExecutable } from "./executable.ts";
import { isPlainText } from "./plain-text.ts";
import type { SpawnCode } from "./spawn-code.ts";

/** One program call: argv, where it runs and what it sees. There is no shell and no string form. */
export interface Command {
  readonly executable: ResolvedExecutable;
  /** Each element reaches the program unchanged; `argv[0]` is the path it was found by (a script sees its real path). */
  readonly args: readonly string[];
  readonly directory: PinnedDirectory;
  readonly env: ChildEnvironment;
}

/** Linux takes 128 KiB an argument, closing NUL included. */
export const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;
export const MAX_ARGUMENTS = 4_096;
export const MAX_ARGUMENTS_BYTES = 1024 * 1024;

/** Refuses arguments that could not reach the program unchanged. */
export function argumentsCode(args: readonly string[]): SpawnCode | undefined {
  if (!Array.isArray(args)) return "invalid_argument";
  if (args.length > MAX_ARGUMENTS) return "arguments_too_long";
  let total = 0;
  for (const argument of args) {
    if (typeof argument !== "string") return "invalid_argument";
    const bytes = Buffer.byteLength(argument);
    total += bytes;
    if (bytes > MAX_ARGUMENT_BYTES || total > MAX_ARGUMENTS_BYTES) return "arguments_too_long";
    if (!isPlainText(argument)) return "invalid_argument";
  }
  return undefined;
}
