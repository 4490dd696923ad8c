import type { LineView } from "./line-view.ts";
import { type LinePosition, textStart } from "./position.ts";

export interface Advance {
  /** The next unread line of the capture, and its number. */
  readonly end: number;
  readonly endNumber: number;
  /** Lines that were read before, oldest first; none after a full read. */
  readonly before: BigUint64Array;
  /** The line of the capture that comes right after `before`. */
  readonly from: number;
  /** How many hashes are kept. */
  readonly limit: number;
}

/** The position after a read that ended before line `end` of a capture. */
export function advance(view: LineView, step: Advance): LinePosition {
  const { end, endNumber, before, from, limit } = step;
  const added = BigUint64Array.from({ length: Math.max(0, end - from) }, (_none, line) =>
    view.hash(from + line),
  );
  const hashes = lastOf(before, added, limit);
  const onScreen = Math.min(hashes.length, end - firstOnScreen(view, end));
  const { partial } = view;
  return {
    width: view.width,
    historySize: view.historySize,
    nextRow: view.rowOf(end),
    nextNumber: endNumber,
    hashes,
    onScreen,
    screenRow: view.rowOf(end - onScreen),
    partial: partial && partial.row === view.rowOf(end) ? textStart(partial.text) : undefined,
  };
}

/** The first line before `end` that reaches into the screen. */
function firstOnScreen(view: LineView, end: number): number {
  let first = end;
  for (; first > 0; first -= 1) {
    const line = view.lines[first - 1];
    if (line === undefined || line.row + line.rowCount <= view.historySize) break;
  }
  return first;
}

function lastOf(before: BigUint64Array, added: BigUint64Array, limit: number): BigUint64Array {
  const kept = Math.min(limit, before.length + added.length);
  const hashes = new BigUint64Array(kept);
  const fromAdded = Math.min(kept, added.length);
  hashes.set(before.subarray(before.length - (kept - fromAdded)));
  hashes.set(added.subarray(added.length - fromAdded), kept - fromAdded);
  return hashes;
}
