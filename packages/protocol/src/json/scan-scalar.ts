import { Buffer } from "node:buffer";

/**
 * A position in the bytes, or, when the grammar broke, the bitwise complement of where it did. Reading at a
 * negative position finds nothing, so a break carries through every later step.
 */
export type Position = number;

/** Turns a position into a break there; an earlier break is kept. */
export function breakAt(at: Position): Position {
  return at < 0 ? at : ~at;
}

/** What a scalar held besides plain text and numbers; steps only ever set these. */
export interface ScalarNotes {
  escaped: boolean;
  loneSurrogate: boolean;
  unsafeNumber: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const UPPER_E = 0x45;
const LOWER_E = 0x65;
/** `" \\ / b f n r t`, the one-letter escapes. */
const SHORT_ESCAPES: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrt'));

/** Consumes a string from its opening quote. */
export function scanString(bytes: Uint8Array, start: Position, notes: ScalarNotes): Position {
  if (bytes[start] !== QUOTE) return breakAt(start);
  let at = start + 1;
  for (;;) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) {
      notes.escaped = true;
      at = scanEscape(bytes, at, notes);
    } else if (byte === undefined || byte < 0x20) {
      return breakAt(at);
    } else {
      at += 1;
    }
  }
}

function scanEscape(bytes: Uint8Array, at: Position, notes: ScalarNotes): Position {
  if (SHORT_ESCAPES.has(bytes[at + 1])) return at + 2;
  const unit = codeUnit(bytes, at);
  if (unit === undefined) return breakAt(at);
  const end = at + 6;
  if (unit < 0xd800 || unit > 0xdfff) return end;
  const next = codeUnit(bytes, end) ?? 0;
  if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) return end + 6;
  notes.loneSurrogate = true;
  return end;
}

/** The code unit of a `\\uXXXX` escape at this place, or undefined if there is none. */
function codeUnit(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LOWER_U) return undefined;
  let unit = 0;
  for (let index = at + 2; index < at + 6; index += 1) {
    const digit = hexDigit(bytes[index]);
    if (digit === undefined) return undefined;
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexDigit(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined;
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined;
}

/** Consumes a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`. */
export function scanNumber(bytes: Uint8Array, start: Position, notes: ScalarNotes): Position {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : scanDigits(bytes, at);
  const next = bytes[at];
  if (next !== DOT && next !== LOWER_E && next !== UPPER_E) {
    // 2^53 has sixteen digits: shorter integers need no closer look.
    if (at - start > 15) {
      notes.unsafeNumber ||= !Number.isSafeInteger(Number(textOf(bytes, start, at)));
    }
    return at;
  }
  if (next === DOT) at = scanDigits(bytes, at + 1);
  const exponent = bytes[at] === LOWER_E || bytes[at] === UPPER_E;
  if (exponent) {
    const signed = bytes[at + 1] === PLUS || bytes[at + 1] === MINUS;
    at = scanDigits(bytes, signed ? at + 2 : at + 1);
  }
  // The largest double has 309 digits, so a shorter literal without exponent is finite.
  if (at >= 0 && (exponent || at - start > 300)) {
    notes.unsafeNumber ||= !Number.isFinite(Number(textOf(bytes, start, at)));
  }
  return at;
}

function scanDigits(bytes: Uint8Array, start: Position): Position {
  let at = start;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined || byte < ZERO || byte > NINE) return at > start ? at : breakAt(at);
    at += 1;
  }
}

const LITERALS: ReadonlyMap<number | undefined, Buffer> = new Map(
  ["true", "false", "null"].map((word) => [word.charCodeAt(0), Buffer.from(word)]),
);

/** Consumes `true`, `false` or `null`. */
export function scanLiteral(bytes: Uint8Array, start: Position): Position {
  const word = LITERALS.get(bytes[start]);
  if (word === undefined) return breakAt(start);
  for (const [index, letter] of word.entries()) {
    if (bytes[start + index] !== letter) return breakAt(start + index);
  }
  return start + word.length;
}

/** The text between two positions. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
}
