const CAPACITY = 16_384;

/** Collects UTF-8 in a fixed buffer and hands it out as a string, so that memory does not follow the input. */
export class TextBuffer {
  readonly #bytes = new Uint8Array(CAPACITY);
  readonly #decoder = new TextDecoder();
  #length = 0;
  #text = "";

  take(): string {
    this.#flush();
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** Copies printable ASCII from `chunk` and returns the position of the first byte that is something else. */
  copyPrintable(chunk: Uint8Array, from: number, to: number): number {
    let position = from;
    while (position < to) {
      if (this.#length === CAPACITY) this.#flush();
      const limit = Math.min(to, position + CAPACITY - this.#length);
      for (; position < limit; position += 1) {
        const byte = chunk[position] ?? 0;
        if (byte < 0x20 || byte > 0x7e) return position;
        this.#bytes[this.#length] = byte;
        this.#length += 1;
      }
    }
    return position;
  }

  writeCodePoint(codePoint: number): void {
    if (this.#length + 4 > CAPACITY) this.#flush();
    if (codePoint < 0x80) {
      this.#writeByte(codePoint);
    } else if (codePoint < 0x800) {
      this.#writeByte(0xc0 | (codePoint >> 6));
      this.#writeByte(0x80 | (codePoint & 0x3f));
    } else if (codePoint < 0x1_0000) {
      this.#writeByte(0xe0 | (codePoint >> 12));
      this.#writeByte(0x80 | ((codePoint >> 6) & 0x3f));
      this.#writeByte(0x80 | (codePoint & 0x3f));
    } else {
      this.#writeByte(0xf0 | (codePoint >> 18));
      this.#writeByte(0x80 | ((codePoint >> 12) & 0x3f));
      this.#writeByte(0x80 | ((codePoint >> 6) & 0x3f));
      this.#writeByte(0x80 | (codePoint & 0x3f));
    }
  }

  /** Writes a string of the basic plane, such as a mark. */
  writeText(text: string): void {
    for (let index = 0; index < text.length; index += 1)
      this.writeCodePoint(text.charCodeAt(index));
  }

  #writeByte(byte: number): void {
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #flush(): void {
    this.#text += this.#decoder.decode(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
  }
}
