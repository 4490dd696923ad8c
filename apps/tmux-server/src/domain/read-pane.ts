import type { Anchor } from "../contract/index.ts";
import { advance } from "./advance.ts";
import { deepestRows } from "./history-depth.ts";
import { type LineView, viewLines } from "./line-view.ts";
import type { LinePosition, ReadingPosition } from "./position.ts";
import { findContinuation } from "./read-diff.ts";
import { readScreen } from "./read-screen.ts";
import { type ShownLine, showLine } from "./shown-line.ts";
import type { Snapshot } from "./snapshot.ts";

/** How to read. */
export interface ReadOrder {
  /** Return everything, wherever the position stands. */
  readonly full: boolean;
  readonly maxLines: number;
  readonly maxBytes: number;
  /** Hashes kept per position. */
  readonly bufferSize: number;
}

/** What one read returns, apart from names and times. */
export interface Reading {
  readonly newLines: readonly ShownLine[];
  readonly totalLines: number;
  readonly partial: ShownLine | undefined;
  readonly firstLine: number | undefined;
  readonly linesMissed: number | undefined;
  readonly linesRemaining: number;
  readonly linesSkipped: number;
  readonly anchor: Anchor;
  readonly rewritten: readonly { readonly line: number; readonly shown: ShownLine }[];
  /** Rewritten lines that did not fit. */
  readonly rewrittenLeftOut: boolean;
}

export type ReadResult =
  | { readonly kind: "read"; readonly reading: Reading; readonly position: ReadingPosition }
  /** The history captured does not show where to go on. */
  | { readonly kind: "deeper"; readonly rows: number };

/** Reads on from a position, or everything where there is none. */
export function readPane(
  snapshot: Snapshot,
  position: ReadingPosition | undefined,
  order: ReadOrder,
): ReadResult {
  if (snapshot.facts.alternateScreen) return readScreen(snapshot, position, order);
  const view = viewLines(snapshot);
  return order.full || position?.lines === undefined || isBlank(position.lines)
    ? readAll(view, order)
    : readOn(view, position.lines, order);
}

/** A position in a pane that showed nothing at all: there is nothing to go on from. */
function isBlank({ hashes, partial }: LinePosition): boolean {
  return hashes.length === 0 && partial === undefined;
}

/** The newest lines; the older ones are left out and counted. */
function readAll(view: LineView, order: ReadOrder): ReadResult {
  if (!view.complete && view.depth < deepestRows) return { kind: "deeper", rows: deepestRows };
  const budget = new Budget(order);
  const shown: ShownLine[] = [];
  let start = view.closed;
  for (; start > 0; start -= 1) {
    const line = budget.take(view, start - 1);
    if (line === undefined) break;
    shown.push(line);
  }
  const lines = advance(view, {
    end: view.closed,
    endNumber: view.closed + 1,
    before: new BigUint64Array(),
    from: Math.max(0, view.closed - order.bufferSize),
    limit: order.bufferSize,
  });
  const reading: Reading = {
    newLines: shown.toReversed(),
    totalLines: view.closed,
    partial: showPartial(view, order),
    firstLine: shown.length > 0 ? start + 1 : undefined,
    linesMissed: 0,
    linesRemaining: 0,
    linesSkipped: start,
    anchor: "new",
    rewritten: [],
    rewrittenLeftOut: false,
  };
  return { kind: "read", reading, position: { lines, screen: undefined } };
}

/** The oldest unread lines; the newer ones wait for the next read. */
function readOn(view: LineView, position: LinePosition, order: ReadOrder): ReadResult {
  const continuation = findContinuation(position, view);
  if (continuation.kind === "deeper") return continuation;
  const { anchor, at } = continuation;
  const budget = new Budget(order);
  const rewritten = continuation.rewritten.flatMap(({ index, back }) => {
    const shown = budget.takeBeside(view, index);
    return shown === undefined ? [] : [{ line: position.nextNumber - back, shown }];
  });
  const newLines: ShownLine[] = [];
  let end = at;
  for (; end < view.closed; end += 1) {
    const line = budget.take(view, end);
    if (line === undefined) break;
    newLines.push(line);
  }
  const number = (index: number): number => position.nextNumber + index - at;
  const reading: Reading = {
    newLines,
    totalLines: Math.max(position.nextNumber, number(view.closed)) - 1,
    partial: showPartial(view, order),
    firstLine: newLines.length > 0 ? number(at) : undefined,
    linesMissed: anchor === "exact" ? 0 : undefined,
    linesRemaining: Math.max(0, view.closed - end),
    linesSkipped: 0,
    anchor,
    rewritten,
    rewrittenLeftOut: rewritten.length < continuation.rewritten.length,
  };
  const { before } = continuation;
  const step = { end, endNumber: number(end), before, from: at, limit: order.bufferSize };
  return {
    kind: "read",
    reading,
    position: { lines: advance(view, step), screen: undefined },
  };
}

function showPartial({ partial }: LineView, { maxBytes }: ReadOrder): ShownLine | undefined {
  return partial === undefined ? undefined : showLine(partial, maxBytes);
}

/** Hands out lines until their number or bytes are used up; the first line always passes, cut if need be. */
class Budget {
  readonly #order: ReadOrder;
  #lines = 0;
  #bytes = 0;

  constructor(order: ReadOrder) {
    this.#order = order;
  }

  take(view: LineView, index: number): ShownLine | undefined {
    if (this.#lines >= this.#order.maxLines) return undefined;
    const shown = this.takeBeside(view, index, this.#lines === 0);
    if (shown !== undefined) this.#lines += 1;
    return shown;
  }

  /** A line that counts by its bytes only. */
  takeBeside(view: LineView, index: number, isFirst = false): ShownLine | undefined {
    const line = view.lines[index];
    if (line === undefined) return undefined;
    const shown = showLine(line, this.#order.maxBytes);
    if (!isFirst && this.#bytes + shown.bytes > this.#order.maxBytes) return undefined;
    this.#bytes += shown.bytes;
    return shown;
  }
}
