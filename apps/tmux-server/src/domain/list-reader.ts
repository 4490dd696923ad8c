/** tmux printed something other than the format that was asked for. */
export class MalformedListError extends Error {
  override readonly name = "MalformedListError";
  readonly code = "malformed_list";
}

const tab = 0x09;
const newline = 0x0a;

/** Reads tab-separated fields and length-prefixed texts off what tmux printed. */
export class ListReader {
  readonly #output: Buffer;
  #place = 0;

  constructor(output: Buffer) {
    this.#output = output;
  }

  startsWith(text: string): boolean {
    return this.#output[this.#place] === text.charCodeAt(0);
  }

  /** The bytes up to the next tab. */
  field(): string {
    return this.#until(tab);
  }

  /** An id like `$1`, `@2` or `%3`. */
  id(sigil: string): string {
    const field = this.field();
    if (!/^.\d{1,10}$/.test(field) || !field.startsWith(sigil)) throw malformed();
    return field;
  }

  number(): number {
    const field = this.field();
    if (!/^\d{1,15}$/.test(field)) throw malformed();
    return Number(field);
  }

  /** A number, or `undefined` where tmux printed nothing. */
  optionalNumber(): number | undefined {
    if (this.startsWith("\t")) {
      this.#place += 1;
      return undefined;
    }
    return this.number();
  }

  flag(): boolean {
    return this.number() > 0;
  }

  /** A text of known length, whatever it holds, and the tab behind it. */
  bytes(length: number): string {
    const end = this.#place + length;
    if (this.#output[end] !== tab) throw malformed();
    const text = this.#output.toString("utf8", this.#place, end);
    this.#place = end + 1;
    return text;
  }

  /** The text up to the end of the line. */
  restOfLine(): string {
    return this.#until(newline);
  }

  /** Exactly `count` lines. */
  lines(count: number): string[] {
    const lines: string[] = [];
    while (lines.length < count) lines.push(this.restOfLine());
    return lines;
  }

  /** Every line that is left. */
  remainingLines(): string[] {
    if (this.#place >= this.#output.length) return [];
    const lines = this.#output.toString("utf8", this.#place).split("\n");
    // The last line ends with a newline too; a cut one would be a broken answer.
    if (lines.pop() !== "") throw malformed();
    this.#place = this.#output.length;
    return lines;
  }

  #until(end: number): string {
    const place = this.#output.indexOf(end, this.#place);
    if (place < 0) throw malformed();
    const text = this.#output.toString("utf8", this.#place, place);
    this.#place = place + 1;
    return text;
  }
}

function malformed(): MalformedListError {
  return new MalformedListError("tmux printed something other than the format asked for.");
}
