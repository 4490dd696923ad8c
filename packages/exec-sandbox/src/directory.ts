import { close, constants, open, promises } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { withinTwoSeconds } from "./lookup-limit.ts";
import { hasOwnProc } from "./platform.ts";
import { systemCode } from "./system-error.ts";

/** A working directory that was checked and is held, so that a later rename or link cannot swap it. */
export interface PinnedDirectory extends AsyncDisposable {
  /** The real path at the time of the check. */
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
  /** Lets go of the directory; runs already started are not affected. Safe to call twice. */
  close(): Promise<void>;
}

export type DirectoryCode =
  | "not_absolute"
  | "not_found"
  | "not_a_directory"
  | "not_permitted"
  | "outside_allowed"
  | "directory_changed"
  | "lookup_timeout";

export type DirectoryResult =
  | { readonly kind: "opened"; readonly directory: PinnedDirectory }
  | { readonly kind: "refused"; readonly code: DirectoryCode };

export interface OpenDirectoryOptions {
  /** Roots the real path must lie in; an empty list allows nothing. @default everywhere */
  readonly within?: readonly string[];
}

interface Pin {
  readonly descriptor: number | undefined;
  closed: boolean;
}

// Node names no O_PATH: it opens a directory that may be entered but not read.
const O_PATH = 0o10000000;
const pins = new WeakMap<PinnedDirectory, Pin>();

/**
 * Checks a working directory and holds it: absolute, links resolved, inside `within`, enterable. On Linux the
 * descriptor is kept and children start in it; elsewhere identity is compared again right before each spawn.
 */
export async function openDirectory(
  path: string,
  options: OpenDirectoryOptions = {},
): Promise<DirectoryResult> {
  if (typeof path !== "string" || !isAbsolute(path) || path.includes("\0")) {
    return { kind: "refused", code: "not_absolute" };
  }
  try {
    const opened = await withinTwoSeconds(pinDirectory(path, options.within));
    return opened === "late" ? { kind: "refused", code: "lookup_timeout" } : opened;
  } catch (error) {
    return { kind: "refused", code: directoryCodeOf(error) };
  }
}

/** Where a child is started, or why that is no longer the directory that was opened. */
export async function spawnDirectory(
  directory: PinnedDirectory,
): Promise<
  { readonly cwd: string } | "directory_missing" | "directory_changed" | "invalid_argument"
> {
  const pin = pins.get(directory);
  if (pin === undefined || pin.closed) return "invalid_argument";
  const cwd =
    pin.descriptor === undefined ? directory.path : `/proc/self/fd/${String(pin.descriptor)}`;
  try {
    const now = await promises.stat(cwd, { bigint: true });
    if (now.nlink === 0n) return "directory_missing";
    if (now.dev !== directory.dev || now.ino !== directory.ino) return "directory_changed";
    await promises.access(cwd, constants.X_OK);
    return { cwd };
  } catch (error) {
    return systemCode(error) === "ENOENT" ? "directory_missing" : "directory_changed";
  }
}

async function pinDirectory(
  path: string,
  within: readonly string[] | undefined,
): Promise<DirectoryResult> {
  const real = await promises.realpath(path);
  if (within !== undefined && !(await liesWithin(real, within))) {
    return { kind: "refused", code: "outside_allowed" };
  }
  const checked = await promises.stat(real, { bigint: true });
  if (!checked.isDirectory()) return { kind: "refused", code: "not_a_directory" };
  if (!hasOwnProc()) {
    await promises.access(real, constants.X_OK);
    return { kind: "opened", directory: pinned(real, checked, undefined) };
  }
  const descriptor = await openFile(
    real,
    O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_RDONLY,
  );
  const link = `/proc/self/fd/${String(descriptor)}`;
  try {
    // The link's text is the path the kernel walked, so a parent swapped for a link shows as another text.
    const [held, walked] = await Promise.all([
      promises.stat(link, { bigint: true }),
      promises.readlink(link),
      promises.access(link, constants.X_OK),
    ]);
    if (held.dev !== checked.dev || held.ino !== checked.ino || walked !== real) {
      await closeFile(descriptor);
      return { kind: "refused", code: "directory_changed" };
    }
    return { kind: "opened", directory: pinned(real, held, descriptor) };
  } catch (error) {
    await closeFile(descriptor);
    throw error;
  }
}

// Not `promisify`: importing `node:util` costs a short-lived client 2 ms.
async function openFile(path: string, flags: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    open(path, flags, (error, descriptor) =>
      error === null ? resolve(descriptor) : reject(error),
    );
  });
}

async function closeFile(descriptor: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    close(descriptor, (error) => (error ? reject(error) : resolve()));
  });
}

function pinned(
  path: string,
  { dev, ino }: { readonly dev: bigint; readonly ino: bigint },
  descriptor: number | undefined,
): PinnedDirectory {
  const pin: Pin = { descriptor, closed: false };
  const release = async (): Promise<void> => {
    if (pin.closed) return;
    pin.closed = true;
    if (descriptor !== undefined) await closeFile(descriptor);
  };
  const directory = Object.freeze({
    path,
    dev,
    ino,
    close: release,
    [Symbol.asyncDispose]: release,
  });
  pins.set(directory, pin);
  return directory;
}

/** Compares path segments, so that `/srv/ab` is not inside `/srv/a`. */
async function liesWithin(real: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    if (!isAbsolute(root)) continue;
    const realRoot = await promises.realpath(root).catch(() => undefined);
    if (realRoot === undefined) continue;
    const rest = relative(realRoot, real);
    if (rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest))) {
      return true;
    }
  }
  return false;
}

function directoryCodeOf(error: unknown): DirectoryCode {
  switch (systemCode(error)) {
    case "EACCES":
    case "EPERM":
      return "not_permitted";
    case "ENOTDIR":
      return "not_a_directory";
    default:
      return "not_found";
  }
}
