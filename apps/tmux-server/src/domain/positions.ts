import type { ReadingPosition } from "./position.ts";

/** A pane for as long as the same program runs in it. */
export interface PaneKey {
  readonly paneId: string;
  readonly panePid: number;
}

interface Entry {
  readonly principal: string;
  readonly paneId: string;
  /** The pane's place at the last read, like `session:0.0`. */
  readonly target: string;
  readonly position: ReadingPosition;
}

export interface ReadPlace {
  /** Where the pane was, like `session:0.0`. */
  readonly target: string;
  /** How the caller named it: that target, or a pane id. */
  readonly place: string;
}

const maxPositions = 256;
const maxPlaces = 1_024;

/** Where each caller's reading of each pane stands. The positions used longest ago go first. */
export class Positions {
  readonly #entries = new Map<string, Entry>();
  /** Which pane each caller last found at each place. */
  readonly #places = new Map<string, string>();

  get(principal: string, pane: PaneKey): ReadingPosition | undefined {
    return this.#entries.get(entryKey(principal, pane))?.position;
  }

  /** Whether another pane stood at a place at the caller's last read of it. */
  isReplaced(principal: string, place: string, pane: PaneKey): boolean {
    const before = this.#places.get(placeKey(principal, place));
    return before !== undefined && before !== paneName(pane);
  }

  /** Keeps a position, and which pane the caller found at the place it named. */
  set(principal: string, pane: PaneKey, read: ReadPlace, position: ReadingPosition): void {
    const entry = { principal, paneId: pane.paneId, target: read.target, position };
    putNewest(this.#entries, entryKey(principal, pane), entry, maxPositions);
    putNewest(this.#places, placeKey(principal, read.place), paneName(pane), maxPlaces);
  }

  /** Forgets a caller's positions: all, or those of one pane by its place or id. Returns how many. */
  clear(principal: string, target?: string): number {
    let count = 0;
    for (const [key, entry] of this.#entries) {
      if (entry.principal !== principal) continue;
      if (target !== undefined && target !== entry.target && target !== entry.paneId) continue;
      this.#entries.delete(key);
      count += 1;
    }
    return count;
  }

  /** How many positions a caller has. */
  count(principal: string): number {
    let count = 0;
    for (const entry of this.#entries.values()) if (entry.principal === principal) count += 1;
    return count;
  }
}

function entryKey(principal: string, pane: PaneKey): string {
  return JSON.stringify([principal, paneName(pane)]);
}

function placeKey(principal: string, place: string): string {
  return JSON.stringify([principal, place]);
}

function paneName({ paneId, panePid }: PaneKey): string {
  return `${paneId} ${String(panePid)}`;
}

function putNewest<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
