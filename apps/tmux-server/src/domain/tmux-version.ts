/** A version of tmux that can be compared; development builds count as newer than every release. */
export interface TmuxVersion {
  /** As tmux says it, like `3.3a`. */
  readonly text: string;
  readonly major: number;
  readonly minor: number;
  /** The letter of a patch release, or "". */
  readonly letter: string;
}

/** Reads what `tmux -V` prints: `tmux 3.3a`, `tmux next-3.8`, `tmux master`. */
export function parseTmuxVersion(output: string): TmuxVersion | undefined {
  const text = /^tmux (\S{1,64})\s*$/.exec(output)?.[1];
  if (text === undefined) return undefined;
  const release = /^(?:next-)?(\d{1,4})\.(\d{1,4})([a-z]?)(?:-\S*)?$/.exec(text);
  if (release === null) {
    return /\d/.test(text) && !text.startsWith("openbsd-")
      ? undefined
      : { text, major: Number.MAX_SAFE_INTEGER, minor: 0, letter: "" };
  }
  const [, major, minor, letter = ""] = release;
  return { text, major: Number(major), minor: Number(minor), letter };
}

/** Whether a version is the release `major.minor` + `letter`, or newer. */
export function isAtLeast(
  version: TmuxVersion,
  major: number,
  minor: number,
  letter = "",
): boolean {
  if (version.major !== major) return version.major > major;
  if (version.minor !== minor) return version.minor > minor;
  return version.letter >= letter;
}
