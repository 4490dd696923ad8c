import type { JsonPath } from "./path-tracker.ts";
import { PathTracker } from "./path-tracker.ts";
import { scanJson } from "./scan-json.ts";

/** Where a value stands; `key` is where its member's name does, absent for items and the root. */
export interface MemberPlace {
  readonly value: number;
  readonly key?: number;
}

/** Maps every value of a JSON text to its place. */
export function locateMembers(bytes: Uint8Array): (path: JsonPath) => MemberPlace | undefined {
  const locator = new MemberLocator();
  scanJson(bytes, { maxDepth: Infinity, maxValues: Infinity }, locator);
  return (path) => locator.places.get(JSON.stringify(path));
}

class MemberLocator extends PathTracker {
  readonly places = new Map<string, MemberPlace>();
  #keyOffset: number | undefined;

  override key(text: string, offset: number): void {
    super.key(text, offset);
    this.#keyOffset = offset;
  }

  override value(offset: number): void {
    super.value(offset);
    const key = this.#keyOffset;
    this.#keyOffset = undefined;
    this.places.set(
      JSON.stringify(this.path()),
      key === undefined ? { value: offset } : { value: offset, key },
    );
  }
}
