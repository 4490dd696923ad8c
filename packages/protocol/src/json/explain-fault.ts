import { isRequestId, type RequestId } from "../json-rpc.ts";
import { type JsonPath, PathTracker } from "./path-tracker.ts";
import { type ScanFault, type ScanLimits, scanJson } from "./scan-json.ts";
import { textOf } from "./scan-scalar.ts";

/** The first broken rule of a document. */
export interface JsonFault {
  readonly code: ScanFault | "duplicate_key" | "not_json";
  readonly offset: number;
  readonly path: JsonPath;
  /** The root object's `id`, when it has exactly one and that is a valid request id. */
  readonly topLevelId?: RequestId;
}

/** Scans again, slower, to say which rule is broken first and where. Undefined for a clean document. */
export function explainFault(bytes: Uint8Array, limits: ScanLimits): JsonFault | undefined {
  const explainer = new FaultExplainer(bytes);
  const { notJsonAt } = scanJson(bytes, limits, explainer);
  if (notJsonAt !== undefined) {
    return { code: "not_json", offset: notJsonAt, path: explainer.currentPath() };
  }
  return explainer.explanation();
}

class FaultExplainer extends PathTracker {
  readonly #bytes: Uint8Array;
  /** By depth, the keys seen in the open object there; kept only until the first fault. */
  readonly #keys: (Set<string> | undefined)[] = [];
  readonly #ids: unknown[] = [];
  #atRootId = false;
  #first: Omit<JsonFault, "topLevelId"> | undefined;

  constructor(bytes: Uint8Array) {
    super();
    this.#bytes = bytes;
  }

  currentPath(): JsonPath {
    return this.path();
  }

  explanation(): JsonFault | undefined {
    const [id, ...more] = this.#ids;
    const readable = more.length === 0 && isRequestId(id);
    return this.#first && (readable ? { ...this.#first, topLevelId: id } : this.#first);
  }

  override open(container: "object" | "array"): void {
    this.#atRootId = false;
    super.open(container);
    if (this.#first !== undefined) return;
    this.#keys[this.depth()] = container === "object" ? new Set<string>() : undefined;
  }

  override key(text: string, offset: number): void {
    super.key(text, offset);
    this.#atRootId = this.depth() === 1 && text === "id";
    if (this.#atRootId) this.#ids.push(undefined);
    if (this.#first !== undefined) return;
    const keys = this.#keys[this.depth()];
    if (keys?.has(text)) this.#record("duplicate_key", offset);
    else keys?.add(text);
  }

  override scalar(start: number, end: number): void {
    if (this.#atRootId) this.#ids[this.#ids.length - 1] = idAt(this.#bytes, start, end);
    this.#atRootId = false;
  }

  override fault(code: ScanFault, offset: number): void {
    this.#record(code, offset);
  }

  #record(code: JsonFault["code"], offset: number): void {
    this.#first ??= { code, offset, path: this.path() };
  }
}

function idAt(bytes: Uint8Array, start: number, end: number): unknown {
  // An id above the longest legal one is never decoded: six bytes per escaped byte and two quotes.
  if (end - start > 256 * 6 + 2) return undefined;
  const value: unknown = JSON.parse(textOf(bytes, start, end));
  return typeof value === "string" && /\p{Surrogate}/u.test(value) ? undefined : value;
}
