import { hash } from "node:crypto";

/** Where a caller's reading of a shell's lines stands. It holds hashes of lines, never text. */
export interface LinePosition {
  /** The pane's width and history size at that read. */
  readonly width: number;
  readonly historySize: number;
  /** The row and the number of the next unread line. */
  readonly nextRow: number;
  readonly nextNumber: number;
  /** The lines before it, oldest first. */
  readonly hashes: BigUint64Array;
  /** How many of them, at the end, were on the screen and may be rewritten. */
  readonly onScreen: number;
  /** The row of the first of those; `nextRow` when there is none. */
  readonly screenRow: number;
  /** How the unfinished line began, when there was one at `nextRow`. */
  readonly partial: TextStart | undefined;
}

export interface TextStart {
  readonly length: number;
  readonly hash: bigint;
}

/** Where a caller's reading of a pane stands: the shell's lines, and the full-screen program last shown. */
export interface ReadingPosition {
  readonly lines: LinePosition | undefined;
  /** The hash of all rows of the alternate screen at the last read of it. */
  readonly screen: bigint | undefined;
}

/** A 64-bit hash of a line; blanks at its end do not count, because erasing may leave some. */
export function textHash(text: string): bigint {
  return hash("sha1", text.trimEnd(), "buffer").readBigUInt64BE();
}

/** What a reading position keeps of an unfinished line. */
export function textStart(text: string): TextStart {
  const start = text.trimEnd().slice(0, 1_024);
  return { length: start.length, hash: textHash(start) };
}

/** Whether a line still begins as the unfinished one did. */
export function startsAlike(text: string, { length, hash }: TextStart): boolean {
  return textHash(text.slice(0, length)) === hash;
}
