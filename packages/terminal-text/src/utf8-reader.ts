import type { MutableReport } from "./report.ts";

/** Takes one code point and the number of bytes it stood in. */
export type CodePointSink = (codePoint: number, bytes: number) => void;

const REPLACEMENT = 0xfffd;

/**
 * Reads UTF-8 byte by byte. Each longest broken piece becomes one U+FFFD, as the WHATWG Encoding Standard
 * has it. A C1 control is one only in its two-byte form, as on every UTF-8 terminal: in a text that was
 * cut inside a character, a stray byte that opened a control string would swallow the line.
 */
export class Utf8Reader {
  readonly #sink: CodePointSink;
  readonly #report: MutableReport;
  #codePoint = 0;
  #read = 0;
  #missing = 0;
  #lowest = 0x80;
  #highest = 0xbf;

  constructor(sink: CodePointSink, report: MutableReport) {
    this.#sink = sink;
    this.#report = report;
  }

  /** Whether the next byte starts a character. */
  get idle(): boolean {
    return this.#missing === 0;
  }

  push(byte: number): void {
    if (this.#missing === 0) {
      this.#start(byte);
      return;
    }
    if (byte < this.#lowest || byte > this.#highest) {
      this.#breakOff();
      this.#start(byte);
      return;
    }
    this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
    this.#read += 1;
    this.#missing -= 1;
    this.#lowest = 0x80;
    this.#highest = 0xbf;
    if (this.#missing === 0) this.#sink(this.#codePoint, this.#read);
  }

  end(): void {
    if (this.#missing > 0) this.#breakOff();
  }

  #start(byte: number): void {
    this.#read = 1;
    if (byte < 0x80) {
      this.#sink(byte, 1);
    } else if (byte >= 0xc2 && byte <= 0xdf) {
      this.#expect(1, byte & 0x1f);
    } else if (byte >= 0xe0 && byte <= 0xef) {
      this.#expect(2, byte & 0x0f);
      if (byte === 0xe0) this.#lowest = 0xa0;
      if (byte === 0xed) this.#highest = 0x9f;
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      this.#expect(3, byte & 0x07);
      if (byte === 0xf0) this.#lowest = 0x90;
      if (byte === 0xf4) this.#highest = 0x8f;
    } else {
      this.#breakOff();
    }
  }

  #expect(missing: number, bits: number): void {
    this.#missing = missing;
    this.#codePoint = bits;
  }

  #breakOff(): void {
    this.#missing = 0;
    this.#lowest = 0x80;
    this.#highest = 0xbf;
    this.#report.invalidBytes += this.#read;
    this.#sink(REPLACEMENT, this.#read);
  }
}
