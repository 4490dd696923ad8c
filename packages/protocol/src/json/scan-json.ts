import {
  breakAt,
  type Position,
  scanLiteral,
  scanNumber,
  scanString,
  type ScalarNotes,
  textOf,
} from "./scan-scalar.ts";

/** Rules of strict JSON that a scan without values can judge. */
export type ScanFault =
  | "forbidden_key"
  | "too_deep"
  | "too_many_values"
  | "unsafe_number"
  | "lone_surrogate";

export interface ScanLimits {
  readonly maxDepth: number;
  readonly maxValues: number;
}

/** Hears every step of a scan; offsets are bytes. */
export interface ScanObserver {
  /** A value of any kind starts. */
  value(offset: number): void;
  open(container: "object" | "array"): void;
  close(): void;
  key(text: string, offset: number): void;
  scalar(start: number, end: number): void;
  fault(code: ScanFault, offset: number): void;
}

export interface ScanResult {
  /** Where the bytes stop being JSON; undefined when they are JSON. */
  readonly notJsonAt: number | undefined;
  /** Whether a rule beyond the grammar is broken. */
  readonly faulty: boolean;
  /** Members of all objects, repeated keys counted each time. */
  readonly members: number;
}

/**
 * Walks UTF-8 bytes once and checks them against the JSON grammar (RFC 8259) and the strict rules, without
 * building values. Only the grammar ends the walk early, so a fault never hides what follows it.
 */
export function scanJson(
  bytes: Uint8Array,
  limits: ScanLimits,
  observer?: ScanObserver,
): ScanResult {
  return new Scan(bytes, limits, observer).run();
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const FORBIDDEN_KEY = "__proto__";

class Scan {
  readonly #bytes: Uint8Array;
  readonly #limits: ScanLimits;
  readonly #observer: ScanObserver | undefined;
  readonly #notes: ScalarNotes = { escaped: false, loneSurrogate: false, unsafeNumber: false };
  /** The closing byte each open container waits for. */
  #closers = new Uint8Array(64);
  #depth = 0;
  #members = 0;
  #values = 0;
  #faulty = false;

  constructor(bytes: Uint8Array, limits: ScanLimits, observer: ScanObserver | undefined) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#observer = observer;
  }

  run(): ScanResult {
    let at = this.#space(0);
    do {
      at = this.#leave(this.#enter(at));
    } while (at >= 0 && at < this.#bytes.length);
    if (this.#depth > 0) at = breakAt(at);
    const notJsonAt = at < 0 ? ~at : undefined;
    return { notJsonAt, faulty: this.#faulty, members: this.#members };
  }

  /** Consumes a value: a scalar, an empty container, or openings down to the first of those. */
  #enter(start: Position): Position {
    let at = start;
    for (;;) {
      this.#values += 1;
      this.#observer?.value(at);
      if (this.#values > this.#limits.maxValues) this.#fault("too_many_values", at);
      const byte = this.#bytes[at];
      if (byte !== OPEN_OBJECT && byte !== OPEN_ARRAY) return this.#space(this.#scalar(at, byte));
      this.#open(at, byte);
      at = this.#space(at + 1);
      if (this.#bytes[at] === this.#closer()) return at;
      if (byte === OPEN_OBJECT) at = this.#key(at);
    }
  }

  /** Consumes closings and the comma after a value; returns where the next value starts, or the end. */
  #leave(start: Position): Position {
    let at = start;
    while (this.#bytes[at] !== COMMA && this.#depth > 0 && this.#bytes[at] === this.#closer()) {
      this.#depth -= 1;
      this.#observer?.close();
      at = this.#space(at + 1);
    }
    if (this.#depth === 0) return at === this.#bytes.length ? at : breakAt(at);
    if (this.#bytes[at] !== COMMA) return breakAt(at);
    at = this.#space(at + 1);
    return this.#closer() === CLOSE_OBJECT ? this.#key(at) : at;
  }

  #open(at: number, byte: typeof OPEN_OBJECT | typeof OPEN_ARRAY): void {
    if (this.#depth === this.#closers.length) {
      const grown = new Uint8Array(this.#depth * 2);
      grown.set(this.#closers);
      this.#closers = grown;
    }
    this.#closers[this.#depth] = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
    this.#depth += 1;
    if (this.#depth > this.#limits.maxDepth) this.#fault("too_deep", at);
    this.#observer?.open(byte === OPEN_OBJECT ? "object" : "array");
  }

  #closer(): number | undefined {
    return this.#closers[this.#depth - 1];
  }

  /** Consumes a member's key and colon; returns where its value starts. */
  #key(start: Position): Position {
    this.#notes.escaped = false;
    const end = this.#string(start);
    if (end >= 0) {
      this.#members += 1;
      // Decoding every key would cost more than the scan: only a key of this length, or an escaped one, can be it.
      const suspect = this.#notes.escaped || end - start === FORBIDDEN_KEY.length + 2;
      if (suspect || this.#observer !== undefined) {
        const key = JSON.parse(textOf(this.#bytes, start, end)) as string;
        this.#observer?.key(key, start);
        if (key === FORBIDDEN_KEY) this.#fault("forbidden_key", start);
      }
    }
    const at = this.#space(end);
    return this.#bytes[at] === COLON ? this.#space(at + 1) : breakAt(at);
  }

  #scalar(start: Position, byte: number | undefined): Position {
    let end: Position;
    if (byte === QUOTE) {
      end = this.#string(start);
    } else if (byte === MINUS || (byte !== undefined && byte >= 0x30 && byte <= 0x39)) {
      end = scanNumber(this.#bytes, start, this.#notes);
      if (this.#notes.unsafeNumber) {
        this.#notes.unsafeNumber = false;
        this.#fault("unsafe_number", start);
      }
    } else {
      end = scanLiteral(this.#bytes, start);
    }
    if (end >= 0) this.#observer?.scalar(start, end);
    return end;
  }

  #string(start: Position): Position {
    const end = scanString(this.#bytes, start, this.#notes);
    if (this.#notes.loneSurrogate) {
      this.#notes.loneSurrogate = false;
      this.#fault("lone_surrogate", start);
    }
    return end;
  }

  #space(start: Position): Position {
    let at = start;
    for (;;) {
      const byte = this.#bytes[at];
      if (byte === undefined || byte > 0x20) return at;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
      at += 1;
    }
  }

  #fault(code: ScanFault, at: number): void {
    this.#faulty = true;
    this.#observer?.fault(code, at);
  }
}
