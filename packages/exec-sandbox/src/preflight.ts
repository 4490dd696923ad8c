import { constants, promises } from "node:fs";
import { argumentsCode, type Command } from "./command.ts";
import { spawnDirectory } from "./directory.ts";
import { inspectExecutable, type ResolvedExecutable } from "./executable.ts";
import { withinTwoSeconds } from "./lookup-limit.ts";
import type { SpawnCode } from "./spawn-code.ts";
import { systemCode } from "./system-error.ts";

/** The sandbox a child runs in; a tier that is not there is refused, never replaced by a lesser one. */
export type SandboxTier = "none" | "rlimits" | "landlock" | "bubblewrap";

export type Preflight =
  | { readonly kind: "ready"; readonly cwd: string }
  | { readonly kind: "refused"; readonly code: SpawnCode };

/**
 * Checks arguments, directory and program right before a spawn, because the system's own error cannot tell
 * a missing directory from a missing program.
 */
export async function preflight(command: Command, tier: SandboxTier): Promise<Preflight> {
  const code = tier === "none" ? argumentsCode(command.args) : "tier_unavailable";
  if (code !== undefined) return { kind: "refused", code };
  const checked = await withinTwoSeconds(
    Promise.all([spawnDirectory(command.directory), executableCode(command.executable)]),
  );
  if (checked === "late") return { kind: "refused", code: "spawn_failed" };
  const [directory, executable] = checked;
  if (typeof directory === "string") return { kind: "refused", code: directory };
  if (executable !== undefined) return { kind: "refused", code: executable };
  return { kind: "ready", cwd: directory.cwd };
}

async function executableCode(executable: ResolvedExecutable): Promise<SpawnCode | undefined> {
  try {
    const [now] = await Promise.all([
      promises.stat(executable.path, { bigint: true }),
      promises.access(executable.path, constants.X_OK),
    ]);
    if (!now.isFile()) return "executable_missing";
    return isSame(executable, now) ? undefined : await changedCode(executable);
  } catch (error) {
    const code = systemCode(error);
    return code === "EACCES" || code === "EPERM" ? "not_permitted" : "executable_missing";
  }
}

/** Another file is in its place: judged anew by path, or by content alone where that was pinned. */
async function changedCode({ path, sha256 }: ResolvedExecutable): Promise<SpawnCode | undefined> {
  const now = await inspectExecutable(path, sha256 === undefined ? "path" : "sha256");
  switch (now) {
    case "not_found":
    case "not_a_file":
      return "executable_missing";
    case "not_executable":
      return "bad_interpreter";
    case "relative_path":
    case "unsafe_search_path":
    case "batch_file":
    case "writable_by_others":
    case "identity_changed":
      return "not_permitted";
    default:
      return now.sha256 === sha256 ? undefined : "identity_changed";
  }
}

type FileFacts = Pick<ResolvedExecutable, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

function isSame(then: FileFacts, now: FileFacts): boolean {
  return (
    then.dev === now.dev &&
    then.ino === now.ino &&
    then.size === now.size &&
    then.mtimeNs === now.mtimeNs &&
    then.ctimeNs === now.ctimeNs
  );
}
