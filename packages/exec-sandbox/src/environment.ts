import { ExecSandboxError } from "./errors.ts";
import { isPlainText } from "./plain-text.ts";

declare const built: unique symbol;

/** An environment made by `buildEnvironment`; nothing else can be given to a child. */
export type ChildEnvironment = Readonly<Record<string, string>> & { readonly [built]: true };

/** What a child's environment is made of. */
export interface EnvironmentParts {
  /** Where inherited values come from, usually `process.env`. */
  readonly source: Readonly<Record<string, string | undefined>>;
  /** Exact names taken over from `source`; absent ones are left out. */
  readonly inherit: readonly string[];
  /** Literal values; they win over inherited ones. */
  readonly set?: Readonly<Record<string, string>>;
  /** The child's PATH, whatever `inherit` and `source` say. */
  readonly searchPath: string;
  /** The child's TMPDIR. @default TMPDIR of `source`, else /tmp */
  readonly tempDirectory?: string;
}

/** Names that programs a person configured for themselves inherit: who they are and where their home is. */
export const CLIENT_ENVIRONMENT: readonly string[] =
  process.platform === "win32"
    ? [
        "APPDATA",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "USERNAME",
        "USERPROFILE",
      ]
    : ["HOME", "USER", "LOGNAME", "SHELL", "TERM"];

/** The variable that marks every process of a run; it is set at each spawn and cannot be chosen. */
export const MARKER_NAME = "POSTERN_RUN";

const MAX_NAMES = 256;
const MAX_BYTES = 128 * 1024;
const MAX_OUTER_MARKER = 512;

/**
 * Builds a child's whole environment: PATH, LANG, TMPDIR, the inherited names and the literal values, nothing
 * else. At most 256 names and 128 KiB; throws `invalid_environment` otherwise.
 */
export function buildEnvironment(parts: EnvironmentParts): ChildEnvironment {
  const { source, inherit, set = {}, searchPath } = parts;
  if (set["PATH"] !== undefined && set["PATH"] !== searchPath) {
    throw invalid("PATH is set by searchPath alone, so that lookup and child agree.");
  }
  if (set[MARKER_NAME] !== undefined) throw invalid(`${MARKER_NAME} is reserved.`);

  const environment = new Map<string, string>([
    ["LANG", "C.UTF-8"],
    ["TMPDIR", parts.tempDirectory ?? source["TMPDIR"] ?? "/tmp"],
  ]);
  for (const name of inherit) {
    const value = source[name];
    if (value !== undefined) environment.set(name, value);
  }
  for (const [name, value] of Object.entries(set)) environment.set(name, value);
  environment.set("PATH", searchPath);
  environment.delete(MARKER_NAME);
  // A run inside a run keeps the outer mark, so that the outer proof finds the inner tree too.
  const outer = source[MARKER_NAME];
  if (outer !== undefined && outer.length <= MAX_OUTER_MARKER) environment.set(MARKER_NAME, outer);

  checkEntries(environment);
  return Object.freeze(Object.fromEntries(environment)) as ChildEnvironment;
}

/** The environment a spawn really gets: the built one and the mark of this run. */
export function markedEnvironment(
  environment: ChildEnvironment,
  marker: string | undefined,
): Readonly<Record<string, string>> {
  if (marker === undefined) {
    const { [MARKER_NAME]: _outer, ...unmarked } = environment;
    return unmarked;
  }
  const outer = environment[MARKER_NAME];
  return { ...environment, [MARKER_NAME]: outer === undefined ? marker : `${outer}.${marker}` };
}

function checkEntries(environment: ReadonlyMap<string, string>): void {
  if (environment.size > MAX_NAMES) throw invalid(`More than ${String(MAX_NAMES)} names.`);
  let bytes = 0;
  for (const [name, value] of environment) {
    if (!/^[^=\0]+$/.test(name)) throw invalid("A name is empty or holds '=' or NUL.");
    if (!isPlainText(value)) throw invalid(`The value of ${name} is not text without NUL.`);
    // Each entry is stored as name=value and a closing NUL.
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
  }
  if (bytes > MAX_BYTES) throw invalid(`More than ${String(MAX_BYTES)} bytes.`);
}

function invalid(reason: string): ExecSandboxError {
  return new ExecSandboxError(
    "invalid_environment",
    `The child's environment is refused. ${reason}`,
  );
}
