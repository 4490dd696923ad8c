import { textOf } from "./scan-scalar.ts";

const LF = 0x0a;

/** A place in a text as editors count it: both from 1, columns in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The line and column of a byte. */
export function positionOf(bytes: Uint8Array, offset: number): TextPosition {
  const before = bytes.subarray(0, offset);
  const lineStart = before.lastIndexOf(LF) + 1;
  let line = 1;
  for (let at = before.indexOf(LF); at !== -1; at = before.indexOf(LF, at + 1)) line += 1;
  return { line, column: textOf(bytes, lineStart, offset).length + 1 };
}
