import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  statfsSync,
  unlinkSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { ReceiptsError } from "../errors.ts";

/** File systems on which locks or shared memory do not hold between hosts (Linux, statfs(2)). */
const networkTypes: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xfe534d42, // SMB2
  0xff534d42, // CIFS
  0x01021997, // 9P
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x0bd00bd0, // Lustre
]);

/** Whether statfs names a file system that several hosts can share. */
export function isNetworkFileSystem(type: number): boolean {
  return networkTypes.has(type >>> 0);
}

/**
 * Makes sure that the file exists, is a plain file of ours with mode 0600, and lies in a directory of ours with
 * mode 0700 on a local file system. What exists is checked, never changed.
 */
export function preparePrivateFile(file: string): void {
  const directory = dirname(file);
  makePrivateDirectory(directory);
  if (process.platform === "linux" && isNetworkFileSystem(statfsSync(directory).type)) {
    throw new ReceiptsError(
      "store_on_network",
      `${directory} is on a network file system, where locks do not hold. Choose a local directory.`,
    );
  }
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) createEmpty(file, directory);
  checkOwned(file, lstatSync(file), "file");
}

/** Makes the directory with mode 0700, or checks that it has it. */
export function makePrivateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  checkOwned(directory, lstatSync(directory), "directory");
}

/**
 * Closing a descriptor of a file drops every POSIX lock this process has on it, so the new file is closed
 * before it gets the name under which the engine may open it.
 */
function createEmpty(file: string, directory: string): void {
  const draft = join(directory, `.${randomUUID()}`);
  closeSync(openSync(draft, "wx", 0o600));
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    unlinkSync(draft);
  }
  const descriptor = openSync(directory, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function checkOwned(path: string, stats: Stats, kind: "file" | "directory"): void {
  if (kind === "file" ? !stats.isFile() : !stats.isDirectory()) {
    throw new ReceiptsError("store_not_private", `${path} is not a plain ${kind}.`);
  }
  // Windows has neither owners nor modes in this form.
  if (process.getuid === undefined) return;
  const mode = stats.mode & 0o777;
  if (stats.uid === process.getuid() && (mode & 0o077) === 0) return;
  const wanted = kind === "file" ? "0600" : "0700";
  throw new ReceiptsError(
    "store_not_private",
    `${path} must belong to you with mode ${wanted}; it has mode 0${mode.toString(8)}. Run: chmod ${wanted} ${path}`,
  );
}
