import { constants, promises } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { executableFormat, type ExecutableFormat } from "./executable-format.ts";
import { programKind, type ProgramKind } from "./executable-kind.ts";
import { withinTwoSeconds } from "./lookup-limit.ts";
import { systemCode } from "./system-error.ts";

/** A program that was found and looked at: its real file, that file's identity, and what it is. */
export interface ResolvedExecutable extends ExecutableFormat {
  readonly path: string;
  /** The path it was found by, links unresolved: the program's `argv[0]`, which some programs act on. */
  readonly invokedAs: string;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** Present when resolved with `pin: "sha256"`: then the content decides at each spawn. */
  readonly sha256?: string;
  readonly program: ProgramKind;
}

export type ExecutableCode =
  | "not_found"
  | "relative_path"
  | "unsafe_search_path"
  | "not_executable"
  | "not_a_file"
  | "batch_file"
  | "writable_by_others"
  | "identity_changed";

export type ExecutableResult =
  | { readonly kind: "resolved"; readonly executable: ResolvedExecutable }
  | { readonly kind: "refused"; readonly code: ExecutableCode };

export interface ResolveOptions {
  /** PATH for bare names; every part must be absolute. */
  readonly searchPath: string;
  /** What a later spawn compares: the path, or the content. @default "path" */
  readonly pin?: "path" | "sha256";
  /** Facts from an earlier resolution; a difference is `identity_changed`. */
  readonly expect?: Partial<ResolvedExecutable>;
}

/**
 * Finds a program the way `execvp` would, without its surprises: a bare name is looked up in `searchPath`, a
 * name with a separator must be absolute, links are resolved, batch files are refused.
 */
export async function resolveExecutable(
  name: string,
  options: ResolveOptions,
): Promise<ExecutableResult> {
  const executable = await withinTwoSeconds(find(name, options));
  if (executable === "late") return { kind: "refused", code: "not_found" };
  if (typeof executable === "string") return { kind: "refused", code: executable };
  for (const [field, expected] of Object.entries(options.expect ?? {})) {
    if (executable[field as keyof ResolvedExecutable] !== expected) {
      return { kind: "refused", code: "identity_changed" };
    }
  }
  return { kind: "resolved", executable };
}

/** The SHA-256 of a file's content in hex. */
async function fileDigest(file: FileHandle): Promise<string> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0 })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest("hex");
}

async function find(
  name: string,
  options: ResolveOptions,
): Promise<ResolvedExecutable | ExecutableCode> {
  const found = await locate(name, options.searchPath);
  return typeof found === "object"
    ? await inspectExecutable(found.path, options.pin ?? "path")
    : found;
}

async function locate(
  name: string,
  searchPath: string,
): Promise<{ readonly path: string } | ExecutableCode> {
  if (typeof name !== "string" || name === "" || name.includes("\0")) return "not_found";
  const hasSeparator = name.includes("/") || (process.platform === "win32" && name.includes("\\"));
  if (hasSeparator) {
    if (!isAbsolute(name)) return "relative_path";
    const code = await candidateCode(name);
    return code === undefined ? { path: name } : code;
  }
  const parts = searchPath.split(delimiter);
  if (!parts.every((part) => isAbsolute(part))) return "unsafe_search_path";
  let refusal: ExecutableCode = "not_found";
  for (const part of parts) {
    const path = join(part, name);
    const code = await candidateCode(path);
    if (code === undefined) return { path };
    if (code !== "not_found") refusal = code;
  }
  return refusal;
}

async function candidateCode(path: string): Promise<ExecutableCode | undefined> {
  try {
    const found = await promises.stat(path);
    if (!found.isFile()) return "not_a_file";
  } catch {
    return "not_found";
  }
  if (isBatchFile(path)) return "batch_file";
  return promises.access(path, constants.X_OK).then(
    () => undefined,
    () => "not_executable" as const,
  );
}

/** Looks at a file: its identity, what it is, and whether it may be run at all. */
export async function inspectExecutable(
  found: string,
  pin: "path" | "sha256",
): Promise<ResolvedExecutable | ExecutableCode> {
  let file: FileHandle | undefined;
  try {
    const path = await promises.realpath(found);
    if (isBatchFile(path)) return "batch_file";
    file = await openReadable(path);
    const [facts, parent, format] = await Promise.all([
      file === undefined ? promises.stat(path, { bigint: true }) : file.stat({ bigint: true }),
      promises.stat(dirname(path)),
      file === undefined ? NATIVE : readFormat(file),
    ]);
    const { dev, ino, size, mode, mtimeNs, ctimeNs } = facts;
    if ((mode & 0o002n) !== 0n || isOpenToAll(parent.mode)) return "writable_by_others";
    if (format === undefined) return "not_executable";
    if (pin === "sha256" && file === undefined) return "not_executable";
    const content =
      pin === "sha256" && file !== undefined ? { sha256: await fileDigest(file) } : {};
    const program = programKind(basename(path));
    return {
      path,
      invokedAs: found,
      dev,
      ino,
      size,
      mtimeNs,
      ctimeNs,
      ...content,
      ...format,
      program,
    };
  } catch (error) {
    // It was there a moment ago, so somebody is replacing it.
    return systemCode(error) === "ENOENT" ? "not_found" : "not_executable";
  } finally {
    await file?.close();
  }
}

// A file that may be run but not read is no script: the interpreter would have to read it.
const NATIVE: ExecutableFormat = { format: process.platform === "darwin" ? "mach_o" : "elf" };

async function openReadable(path: string): Promise<FileHandle | undefined> {
  try {
    return await promises.open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (systemCode(error) === "EACCES") return undefined;
    throw error;
  }
}

async function readFormat(file: FileHandle): Promise<ExecutableFormat | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  return executableFormat(buffer.subarray(0, bytesRead));
}

function isBatchFile(path: string): boolean {
  return /\.(?:bat|cmd)[. ]*$/i.test(path);
}

/** Everybody may put another file in a directory's place, unless it is sticky. */
function isOpenToAll(mode: number): boolean {
  return (mode & 0o002) !== 0 && (mode & 0o1000) === 0;
}
