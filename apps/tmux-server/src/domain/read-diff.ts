import { deepestRows } from "./history-depth.ts";
import { firstAtOrAfter, type LineView } from "./line-view.ts";
import { type LinePosition, startsAlike } from "./position.ts";

/** Where reading goes on in a capture, or how much more of the history must be captured to tell. */
export type Continuation =
  | {
      readonly kind: "found";
      readonly anchor: "exact" | "matched" | "ambiguous" | "lost";
      /** The next unread line. */
      readonly at: number;
      /** The hashes of the lines before it, as far as they were read. */
      readonly before: BigUint64Array;
      /** Lines read before that have other text now. */
      readonly rewritten: readonly RewrittenLine[];
    }
  | { readonly kind: "deeper"; readonly rows: number };

export interface RewrittenLine {
  readonly index: number;
  /** How many lines before the next unread one it is. */
  readonly back: number;
}

/** The most lines that are compared before a place. */
const blockLines = 64;
/** How much history is worth capturing to prove that a place is the only one. */
const proofRows = 10_000;
/** Rows captured above the oldest line that is needed, for the lines before it. */
const marginRows = 512;

/**
 * Finds the next unread line of a position in a later capture. The rules are tried in the order in which they
 * prove most: same row and same lines before it; same history with a rewritten screen; the same lines
 * elsewhere; several such places; none.
 */
export function findContinuation(position: LinePosition, view: LineView): Continuation {
  const byRow = isComparable(position, view) ? atSameRow(position, view) : undefined;
  return byRow ?? byText(position, view);
}

/** Rows keep their numbers while the width stays and history only grows. */
function isComparable(position: LinePosition, view: LineView): boolean {
  return position.width === view.width && view.historySize >= position.historySize;
}

function atSameRow(position: LinePosition, view: LineView): Continuation | undefined {
  const { hashes, nextRow, screenRow } = position;
  const above = view.lines[0]?.row ?? Infinity;
  const oldest = Math.min(nextRow, screenRow);
  if (oldest < above && !view.complete) {
    return deeper(view, view.historySize - oldest + marginRows);
  }
  const at = view.lineAt(nextRow);
  if (at === undefined || !isBlockAt(hashes, at, view)) return onRewrittenScreen(position, view);
  if (hashes.length > 0) {
    return (
      provenOrDeeper(position, view, hashes, at, found("exact", at, hashes)) ??
      found("ambiguous", at, hashes)
    );
  }
  // No line was read before: only how the unfinished line began can tell a cleared pane.
  const { partial } = position;
  const isSameLine = partial !== undefined && startsAlike(view.lines[at]?.text ?? "", partial);
  return isSameLine && isUntrimmed(position, view) ? found("exact", at, hashes) : undefined;
}

/** The history agrees and only lines that were on the screen differ. */
function onRewrittenScreen(position: LinePosition, view: LineView): Continuation | undefined {
  const { hashes, onScreen, screenRow } = position;
  const history = hashes.subarray(0, hashes.length - onScreen);
  const screen = view.lineAt(screenRow);
  if (screen === undefined || history.length === 0 || !isBlockAt(history, screen, view)) {
    return undefined;
  }
  const { at, shown, rewritten } = walkScreen(hashes.subarray(history.length), screen, view);
  if (at > view.lines.length) return undefined;
  const before = BigUint64Array.from([...history, ...shown]);
  const find = { ...found("exact", at, before), rewritten };
  return provenOrDeeper(position, view, history, screen, find);
}

/** Follows the lines of the screen as it was down the screen as it is. */
function walkScreen(
  was: BigUint64Array,
  screen: number,
  view: LineView,
): { readonly at: number; readonly shown: bigint[]; readonly rewritten: RewrittenLine[] } {
  const shown: bigint[] = [];
  const rewritten: RewrittenLine[] = [];
  let index = screen;
  for (const [line, hash] of was.entries()) {
    // A line that was taken off the screen may come back as it was.
    const isSame = hash === view.hash(index) || index >= view.closed;
    // tmux forgets that a line wraps from the history into the screen when a full-screen program ran.
    if (!isSame && hash === view.joinedHash(index)) {
      shown.push(view.hash(index), view.hash(index + 1));
      index += 2;
      continue;
    }
    if (!isSame) rewritten.push({ index, back: was.length - line });
    shown.push(isSame ? hash : view.hash(index));
    index += 1;
  }
  return { at: index, shown, rewritten };
}

/** The find, if nothing can have moved; a deeper capture, if that may tell; `undefined` without proof. */
function provenOrDeeper(
  position: LinePosition,
  view: LineView,
  block: BigUint64Array,
  place: number,
  find: Continuation,
): Continuation | undefined {
  if (isUntrimmed(position, view)) return find;
  if (!view.complete && view.depth < proofRows) return deeper(view, proofRows);
  return occurrences(block, view, Math.max(view.closed, place)) === 1 ? find : undefined;
}

/** tmux drops the oldest tenth without a sign once history is full; below that it cannot have happened. */
function isUntrimmed(position: LinePosition, { historySize, historyLimit }: LineView): boolean {
  const trimmed = historyLimit - Math.max(1, Math.floor(historyLimit / 10));
  return position.historySize < trimmed && historySize < trimmed;
}

function byText(position: LinePosition, view: LineView): Continuation {
  const { hashes, nextRow } = position;
  const block = Math.min(blockLines, hashes.length);
  const exhausted = view.complete || view.depth >= deepestRows;
  const { length, places } = longestMatches(hashes, view);
  const isTelling = length >= 3 && isVaried(hashes.subarray(hashes.length - length));
  const [only] = places;
  if (isTelling && places.length === 1 && only !== undefined && (exhausted || length === block)) {
    return found("matched", only, hashes);
  }
  if (!exhausted) return deeper(view, deepestRows);
  const overlap = view.complete ? longestOverlap(hashes, view) : 0;
  if (overlap >= 2 && isVaried(hashes.subarray(hashes.length - overlap))) {
    return found("matched", overlap, hashes);
  }
  if (isTelling || (length >= 3 && length === block)) {
    const row = firstAtOrAfter(view.lines, nextRow);
    return found("ambiguous", places.find((place) => place >= row) ?? only ?? 0, hashes);
  }
  return found("lost", 0, new BigUint64Array());
}

/** The places whose preceding lines agree furthest back with the lines that were read. */
function longestMatches(
  hashes: BigUint64Array,
  view: LineView,
): { readonly length: number; readonly places: readonly number[] } {
  let length = 1;
  let places: number[] = [];
  for (let place = 1; place <= view.closed; place += 1) {
    const matched = matchLength(hashes, place, view);
    if (matched > length) {
      length = matched;
      places = [];
    }
    if (matched === length) places.push(place);
  }
  return { length, places };
}

/** The most lines at the start of the capture that were the last ones read. */
function longestOverlap(hashes: BigUint64Array, view: LineView): number {
  for (let length = Math.min(blockLines, hashes.length, view.closed); length > 0; length -= 1) {
    if (matchLength(hashes, length, view) === length) return length;
  }
  return 0;
}

/** Places the block may have been moved to; one near the top may have lost its first lines. */
function occurrences(block: BigUint64Array, view: LineView, end: number): number {
  const most = Math.min(blockLines, block.length);
  let count = 0;
  for (let place = Math.min(3, most); place <= end; place += 1) {
    if (matchLength(block, place, view) === Math.min(most, place)) count += 1;
  }
  return count;
}

/** Whether the last lines of `hashes`, at most 64, stand right before a place. */
function isBlockAt(hashes: BigUint64Array, place: number, view: LineView): boolean {
  return matchLength(hashes, place, view) === Math.min(blockLines, hashes.length);
}

function matchLength(hashes: BigUint64Array, place: number, view: LineView): number {
  const most = Math.min(blockLines, hashes.length, place);
  let length = 0;
  while (length < most && hashes[hashes.length - 1 - length] === view.hash(place - 1 - length)) {
    length += 1;
  }
  return length;
}

function isVaried(hashes: BigUint64Array): boolean {
  return hashes.some((hash) => hash !== hashes[0]);
}

function deeper(view: LineView, rows: number): Continuation {
  return { kind: "deeper", rows: Math.min(deepestRows, Math.max(rows, view.depth + 1)) };
}

function found(
  anchor: "exact" | "matched" | "ambiguous" | "lost",
  at: number,
  before: BigUint64Array,
): Extract<Continuation, { kind: "found" }> {
  return { kind: "found", anchor, at, before, rewritten: [] };
}
