import { limits } from "../limits.ts";
import type { ScanFault, ScanObserver } from "./scan-json.ts";

/** Names and indexes from the root down to one value. */
export type JsonPath = readonly (string | number)[];

/** Deeper is a fault already; a line of brackets alone must not cost memory per bracket. */
const MAX_TRACKED_DEPTH = limits.maxDepth.max;

/** Follows a scan and knows the path of the value it is at. Subclasses extend the steps they care about. */
export class PathTracker implements ScanObserver {
  /** One segment per open container; undefined in an object before its first key. */
  readonly #segments: (string | number | undefined)[] = [];
  #depth = 0;

  /** The path of the current value, as far as it is tracked. */
  protected path(): JsonPath {
    return this.#segments.filter((segment) => segment !== undefined);
  }

  /** How many containers are open. */
  protected depth(): number {
    return this.#depth;
  }

  value(_offset: number): void {
    const index = this.#segments[this.#depth - 1];
    if (typeof index === "number") this.#segments[this.#depth - 1] = index + 1;
  }

  open(container: "object" | "array"): void {
    this.#depth += 1;
    if (this.#depth > MAX_TRACKED_DEPTH) return;
    this.#segments.push(container === "array" ? -1 : undefined);
  }

  close(): void {
    if (this.#depth <= MAX_TRACKED_DEPTH) this.#segments.pop();
    this.#depth -= 1;
  }

  key(text: string, _offset: number): void {
    if (this.#depth <= MAX_TRACKED_DEPTH) this.#segments[this.#depth - 1] = text;
  }

  scalar(_start: number, _end: number): void {}

  fault(_code: ScanFault, _offset: number): void {}
}
