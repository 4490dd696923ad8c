import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Who besides the user may touch a file: nobody at all, or readers only. */
export type FilePrivacy = "private" | "not_writable";

export type FileRefusalCode =
  | "file_missing"
  | "file_unreadable"
  | "file_not_regular"
  | "file_not_owned"
  | "file_not_private"
  | "file_too_large";

export type FileReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: FileRefusalCode; readonly message: string };

export interface FileRules {
  readonly privacy: FilePrivacy;
  readonly maxBytes: number;
}

/** Reads a small file of this user's own. The opened file is checked, so a link is judged by its target. */
export async function readPrivateFile(path: string, rules: FileRules): Promise<FileReading> {
  let handle: FileHandle;
  try {
    // Without O_NONBLOCK a FIFO in this place would wait for a writer for ever.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return openRefusal(error);
  }
  try {
    return (await refusalOf(handle, path, rules)) ?? (await readWhole(handle, rules.maxBytes));
  } finally {
    await handle.close();
  }
}

function openRefusal(error: unknown): FileReading {
  const code = error instanceof Error && "code" in error ? String(error.code) : "an unknown error";
  if (code === "ENOENT") return refuse("file_missing", "The file does not exist.");
  return refuse("file_unreadable", `The file cannot be opened (${code}).`);
}

async function refusalOf(
  handle: FileHandle,
  path: string,
  { privacy }: FileRules,
): Promise<FileReading | undefined> {
  const stat = await handle.stat();
  if (!stat.isFile()) return refuse("file_not_regular", "This is not a regular file.");
  // Windows has neither owner nor mode bits to ask for.
  if (process.getuid === undefined) return undefined;
  if (stat.uid !== process.getuid()) {
    return refuse("file_not_owned", "The file belongs to another user.");
  }
  const forbidden = privacy === "private" ? 0o077 : 0o022;
  if ((stat.mode & forbidden) === 0) return undefined;
  const mode = (stat.mode & 0o777).toString(8).padStart(4, "0");
  const fix = privacy === "private" ? "chmod 600" : "chmod go-w";
  const others = privacy === "private" ? "Other users may use" : "Other users may write";
  return refuse("file_not_private", `${others} this file (mode ${mode}). Run: ${fix} '${path}'`);
}

async function readWhole(handle: FileHandle, maxBytes: number): Promise<FileReading> {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length);
    if (bytesRead === 0) return { ok: true, bytes: buffer.subarray(0, length) };
    length += bytesRead;
  }
  return refuse("file_too_large", `The file has more than ${String(maxBytes)} bytes.`);
}

function refuse(code: FileRefusalCode, message: string): FileReading {
  return { ok: false, code, message };
}
