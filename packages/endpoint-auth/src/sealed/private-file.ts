import { randomUUID } from "node:crypto";
import { constants, type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EndpointAuthError } from "../errors.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** For tests: called before each step that writes, and may end the process there. */
export type WriteStep = (step: "open" | "write" | "fsync" | "rename" | "fsync_directory") => void;

/** The text of a file of ours with mode 0600, or undefined where there is none. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  // O_NONBLOCK: a FIFO in its place must not hold us.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  let file: FileHandle;
  try {
    file = await open(path, flags);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return undefined;
    const why = code === "ELOOP" ? "is a symbolic link" : `cannot be read (${code})`;
    throw notPrivate(`${path} ${why}. Put the real file there, or remove it.`, error);
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw notPrivate(`${path} is not a plain file.`);
    const mode = stats.mode & 0o7777;
    const own = process.getuid === undefined || stats.uid === process.getuid();
    if (!own) throw notPrivate(`${path} belongs to another user.`);
    if (stats.nlink > 1) throw notPrivate(`${path} has a second name (a hard link). Remove it.`);
    if (process.getuid !== undefined && mode !== 0o600) {
      const found = mode.toString(8).padStart(4, "0");
      throw notPrivate(`${path} has mode ${found} instead of 0600. Run: chmod 600 ${path}`);
    }
    if (stats.size > MAX_BYTES) {
      throw new EndpointAuthError("settings_damaged", `${path} is larger than any store gets.`);
    }
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/**
 * Puts a text in the place of a file, wholly or not at all, also when the machine stops in the middle. The
 * caller holds the lock of the directory's store, so drafts found there are what a crash left.
 */
export async function replacePrivateFile(
  path: string,
  text: string,
  onStep?: WriteStep,
): Promise<void> {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    const limit = `${String(MAX_BYTES / 1024 / 1024)} MiB`;
    throw new EndpointAuthError("settings_too_large", `${path} would exceed ${limit}.`);
  }
  const directory = dirname(path);
  await removeDrafts(path);
  const draft = join(directory, `${draftPrefix(path)}${randomUUID()}`);
  try {
    onStep?.("open");
    const file = await open(draft, "wx", 0o600);
    try {
      onStep?.("write");
      await file.writeFile(text);
      onStep?.("fsync");
      await file.sync();
    } finally {
      await file.close();
    }
    onStep?.("rename");
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  onStep?.("fsync_directory");
  await syncDirectory(directory);
}

async function removeDrafts(path: string): Promise<void> {
  const directory = dirname(path);
  for (const name of await readdir(directory)) {
    if (name.startsWith(draftPrefix(path))) await rm(join(directory, name), { force: true });
  }
}

function draftPrefix(path: string): string {
  return `.${basename(path)}.`;
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a directory to sync it.
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function notPrivate(message: string, cause?: unknown): EndpointAuthError {
  return new EndpointAuthError("settings_not_private", message, { cause });
}
