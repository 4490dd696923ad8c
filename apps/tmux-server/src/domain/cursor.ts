import { crc32 } from "node:zlib";
import type { LinePosition, ReadingPosition } from "./position.ts";
import type { PaneKey } from "./positions.ts";

/** A reading position as a caller keeps it, and the pane it is of. */
export interface DecodedCursor {
  readonly pane: PaneKey;
  readonly position: ReadingPosition;
}

const format = 1;
const maxHashes = 16;
const hasLines = 1;
const hasPartial = 2;
const hasScreen = 4;
/** Format, flags, counts of hashes, pane id, pid, width, four rows, number, start of a partial line, screen. */
const headBytes = 62;

/** Writes a position as base64url: numbers and hashes, no text. It opens nothing that a call could not. */
export function encodeCursor({ paneId, panePid }: PaneKey, position: ReadingPosition): string {
  const { lines, screen } = position;
  const hashes = lines?.hashes.subarray(-maxHashes) ?? new BigUint64Array();
  const bytes = Buffer.alloc(headBytes + hashes.length * 8 + 4);
  bytes.writeUInt8(format, 0);
  bytes.writeUInt8(flagsOf(position), 1);
  bytes.writeUInt8(hashes.length, 2);
  bytes.writeUInt8(Math.min(hashes.length, lines?.onScreen ?? 0), 3);
  bytes.writeUInt32BE(Number(paneId.slice(1)), 4);
  bytes.writeUInt32BE(panePid, 8);
  if (lines !== undefined) {
    bytes.writeUInt32BE(lines.width, 12);
    bytes.writeUInt32BE(lines.historySize, 16);
    bytes.writeUInt32BE(lines.nextRow, 20);
    bytes.writeUInt32BE(lines.screenRow, 24);
    bytes.writeBigUInt64BE(BigInt(lines.nextNumber), 28);
    bytes.writeUInt16BE(lines.partial?.length ?? 0, 36);
    bytes.writeBigUInt64BE(lines.partial?.hash ?? 0n, 38);
  }
  bytes.writeBigUInt64BE(screen ?? 0n, 46);
  for (const [index, hash] of hashes.entries()) bytes.writeBigUInt64BE(hash, headBytes + index * 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes.toString("base64url");
}

/** Reads a cursor back; `undefined` for anything that `encodeCursor` did not write. */
export function decodeCursor(cursor: string): DecodedCursor | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length < headBytes + 4 || bytes.toString("base64url") !== cursor) return undefined;
  const count = bytes.readUInt8(2);
  if (bytes.readUInt8(0) !== format || count > maxHashes) return undefined;
  if (bytes.length !== headBytes + count * 8 + 4) return undefined;
  if (bytes.readUInt32BE(bytes.length - 4) !== crc32(bytes.subarray(0, -4))) return undefined;
  const flags = bytes.readUInt8(1);
  const position: ReadingPosition = {
    lines: (flags & hasLines) === 0 ? undefined : decodeLines(bytes, count, flags),
    screen: (flags & hasScreen) === 0 ? undefined : bytes.readBigUInt64BE(46),
  };
  const pane = { paneId: `%${String(bytes.readUInt32BE(4))}`, panePid: bytes.readUInt32BE(8) };
  return isPossible(position) ? { pane, position } : undefined;
}

function flagsOf({ lines, screen }: ReadingPosition): number {
  const linesFlag = lines === undefined ? 0 : hasLines;
  const partialFlag = lines?.partial === undefined ? 0 : hasPartial;
  return linesFlag | partialFlag | (screen === undefined ? 0 : hasScreen);
}

function decodeLines(bytes: Buffer, count: number, flags: number): LinePosition {
  const partial = { length: bytes.readUInt16BE(36), hash: bytes.readBigUInt64BE(38) };
  return {
    width: bytes.readUInt32BE(12),
    historySize: bytes.readUInt32BE(16),
    nextRow: bytes.readUInt32BE(20),
    screenRow: bytes.readUInt32BE(24),
    nextNumber: Number(bytes.readBigUInt64BE(28)),
    hashes: BigUint64Array.from({ length: count }, (_none, index) =>
      bytes.readBigUInt64BE(headBytes + index * 8),
    ),
    onScreen: bytes.readUInt8(3),
    partial: (flags & hasPartial) === 0 ? undefined : partial,
  };
}

/** A checksum is no signature: numbers that no read could have written are refused. */
function isPossible({ lines }: ReadingPosition): boolean {
  return (
    lines === undefined ||
    (Number.isSafeInteger(lines.nextNumber) &&
      lines.nextNumber >= 1 &&
      lines.onScreen <= lines.hashes.length &&
      lines.screenRow <= lines.nextRow)
  );
}
