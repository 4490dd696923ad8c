import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, realpath } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import type { EndpointCode } from "./endpoint-code.ts";

export type PrivateDirectoryOutcome =
  | { readonly kind: "ok" }
  | { readonly kind: "refused"; readonly code: EndpointCode; readonly message: string };

/**
 * Makes a directory with mode 0700, or verifies that an existing one is a real directory of this user with
 * exactly that mode. Missing parents are made 0700 too. An existing directory is never changed.
 *
 * On Windows modes and owners say nothing, so there it only makes sure that a real directory is there;
 * what keeps others out is the access list inherited from the user's profile.
 */
export async function openPrivateDirectory(path: string): Promise<PrivateDirectoryOutcome> {
  if (!isAbsolute(path)) return refused("not_absolute", "The directory needs an absolute path.");
  // A trailing slash would make lstat follow a link.
  const directory = resolve(path);
  try {
    const found = await statOf(directory);
    if (found) return judge(found, await statOf(await realpath(dirname(directory))));
    return await make(directory);
  } catch (error) {
    return refusedBySystem(error);
  }
}

async function make(directory: string): Promise<PrivateDirectoryOutcome> {
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const root = await statOf(await realpath(parent));
  const badRoot = judgeRoot(root);
  if (badRoot) return badRoot;
  try {
    await mkdir(directory, { mode: 0o700 });
    // A umask may have taken bits away; it never adds any.
    await chmod(directory, 0o700);
  } catch (error) {
    // Another process of this user may have made it first; the verdict below decides.
    if (systemCode(error) !== "EEXIST") throw error;
  }
  return judge(await statOf(directory), root);
}

function judge(found: Stats | undefined, root: Stats | undefined): PrivateDirectoryOutcome {
  const badRoot = judgeRoot(root);
  if (badRoot) return badRoot;
  if (!found) return refused("missing", "The directory vanished while it was opened.");
  if (found.isSymbolicLink()) {
    return refused("symlink", "The path is a symbolic link. Give the real directory.");
  }
  if (!found.isDirectory()) return refused("wrong_type", "The path is not a directory.");
  if (process.getuid === undefined) return { kind: "ok" };
  if (found.uid !== process.getuid()) {
    return refused("not_owned", "The directory belongs to another user.");
  }
  const mode = found.mode & 0o7777;
  if (mode === 0o700) return { kind: "ok" };
  return refused(
    "not_private",
    `The directory has mode ${octal(mode)} instead of 0700. Run chmod 700 on it; if the mode does not ` +
      "stay, its file system keeps no modes and another one is needed.",
  );
}

/** The parent must be ours or root's; where others may write into it, only the sticky bit stops a swap. */
function judgeRoot(root: Stats | undefined): PrivateDirectoryOutcome | undefined {
  if (!root?.isDirectory()) return refused("wrong_type", "The parent is not a directory.");
  if (process.getuid === undefined) return undefined;
  const trustedOwner = root.uid === 0 || root.uid === process.getuid();
  const swappable = (root.mode & 0o022) !== 0 && (root.mode & 0o1000) === 0;
  if (trustedOwner && !swappable) return undefined;
  const reason = trustedOwner
    ? `has mode ${octal(root.mode & 0o7777)}, so others can replace what is in it`
    : "belongs to another user";
  return refused("root_not_private", `The parent directory ${reason}.`);
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

const unreachable = new Set(["ENOENT", "EACCES", "EPERM", "EROFS", "ENOSPC"]);

function refusedBySystem(error: unknown): PrivateDirectoryOutcome {
  const code = systemCode(error);
  if (code === "ENOTDIR" || code === "EEXIST") {
    return refused("wrong_type", "A part of the path is not a directory.");
  }
  if (code === "ELOOP") return refused("symlink", "The path runs in a circle of symbolic links.");
  if (code !== undefined && unreachable.has(code)) {
    return refused("missing", `The directory cannot be made or reached (${code}).`);
  }
  throw error;
}

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}

function refused(code: EndpointCode, message: string): PrivateDirectoryOutcome {
  return { kind: "refused", code, message };
}
