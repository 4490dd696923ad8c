import type { ScanFault, ScanObserver } from "./scan-json.ts";

/** Names and indexes from the root down to one value. */
export type JsonPath = readonly (string | number)[];

/** Follows a scan and knows the path of the value it is at. Subclasses extend the steps they care about. */
export class PathTracker implements ScanObserver {
  /** One segment per open container; undefined in an object before its first key. */
  readonly #segments: (string | number | undefined)[] = [];

  /** The path of the current value; its length is the number of open containers. */
  protected path(): JsonPath {
    return this.#segments.filter((segment) => segment !== undefined);
  }

  protected depth(): number {
    return this.#segments.length;
  }

  value(_offset: number): void {
    const last = this.#segments.length - 1;
    const index = this.#segments[last];
    if (typeof index === "number") this.#segments[last] = index + 1;
  }

  open(container: "object" | "array"): void {
    this.#segments.push(container === "array" ? -1 : undefined);
  }

  close(): void {
    this.#segments.pop();
  }

  key(text: string, _offset: number): void {
    this.#segments[this.#segments.length - 1] = text;
  }

  scalar(_start: number, _end: number): void {}

  fault(_code: ScanFault, _offset: number): void {}
}
