/** Where in a stream a reader can go on later. */
export interface StreamPosition {
  readonly lastEventId: string | undefined;
  readonly retryMs: number | undefined;
}

export interface SseReaderOptions {
  /** Bytes of one event, comments apart. */
  readonly maxEventBytes: number;
  /** Gets the data of each message event, as bytes. */
  readonly onData: (data: Uint8Array) => void;
  /** Called once; everything after it is ignored. */
  readonly onTooLarge: () => void;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const BOM = [0xef, 0xbb, 0xbf] as const;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Reads server-sent events in linear time for any chunking: CR, LF and CRLF end a line, one byte order mark may
 * come first, an event that is not ended by an empty line is dropped. Chunks must not change afterwards.
 */
export class SseReader {
  readonly #options: SseReaderOptions;
  #line: Uint8Array[] = [];
  #lineBytes = 0;
  #isComment = false;
  #skipLf = false;
  /** How many bytes of a byte order mark have been seen; -1 once the stream has begun. */
  #bom = 0;
  #data: Uint8Array[] = [];
  #dataBytes = 0;
  #type = "";
  #id: string | undefined;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #stopped = false;

  constructor(options: SseReaderOptions) {
    this.#options = options;
  }

  get position(): StreamPosition {
    return { lastEventId: this.#lastEventId, retryMs: this.#retryMs };
  }

  /** Ignores whatever still comes. */
  stop(): void {
    this.#stopped = true;
  }

  /** Takes the next bytes; true if any of them belong to more than comments and empty lines. */
  push(chunk: Uint8Array): boolean {
    let start = this.#afterBom(chunk);
    let told = false;
    // Found once and kept until passed: searching again for each line would be quadratic.
    let [lf, cr] = [indexOf(chunk, LF, start), indexOf(chunk, CR, start)];
    while (start < chunk.length && !this.#stopped) {
      if (this.#skipLf) {
        this.#skipLf = false;
        if (chunk[start] === LF) {
          start += 1;
          continue;
        }
      }
      if (lf < start) lf = indexOf(chunk, LF, start);
      if (cr < start) cr = indexOf(chunk, CR, start);
      const end = Math.min(lf, cr);
      if (this.#take(chunk.subarray(start, Math.min(end, chunk.length)))) told = true;
      if (end < chunk.length && !this.#stopped) {
        this.#skipLf = chunk[end] === CR;
        this.#endLine();
      }
      start = end + 1;
    }
    return told;
  }

  /** How much of a chunk is byte order mark. A beginning that only looked like one is given back as text. */
  #afterBom(chunk: Uint8Array): number {
    let at = 0;
    while (this.#bom >= 0 && at < chunk.length) {
      if (chunk[at] === BOM[this.#bom]) {
        this.#bom += 1;
        at += 1;
        if (this.#bom === BOM.length) this.#bom = -1;
      } else {
        const seen = BOM.slice(0, this.#bom);
        this.#bom = -1;
        if (seen.length > 0) this.#take(Uint8Array.from(seen));
      }
    }
    return at;
  }

  #take(piece: Uint8Array): boolean {
    if (piece.length === 0) return false;
    if (this.#lineBytes === 0) this.#isComment = piece[0] === COLON;
    // Even a comment counts as begun, so that its second piece is not taken for a field.
    this.#lineBytes += piece.length;
    if (this.#isComment) return false;
    if (this.#lineBytes + this.#dataBytes > this.#options.maxEventBytes) {
      this.#stopped = true;
      this.#options.onTooLarge();
    } else this.#line.push(piece);
    return true;
  }

  #endLine(): void {
    const empty = this.#lineBytes === 0;
    const line = this.#isComment ? undefined : join(this.#line, this.#lineBytes);
    this.#line = [];
    this.#lineBytes = 0;
    this.#isComment = false;
    if (empty) this.#dispatch();
    else if (line) this.#takeField(line);
  }

  #takeField(line: Uint8Array): void {
    const colon = line.indexOf(COLON);
    const name = decoder.decode(colon === -1 ? line : line.subarray(0, colon));
    const value = colon === -1 ? line.subarray(line.length) : afterSpace(line.subarray(colon + 1));
    switch (name) {
      case "data":
        this.#data.push(value);
        this.#dataBytes += value.length + 1;
        break;
      case "event":
        this.#type = decoder.decode(value);
        break;
      case "id":
        if (!value.includes(0)) this.#id = decoder.decode(value);
        break;
      case "retry": {
        const text = decoder.decode(value);
        if (/^\d{1,9}$/.test(text)) this.#retryMs = Number(text);
        break;
      }
      default:
    }
  }

  #dispatch(): void {
    const data = this.#data;
    const isMessage = this.#type === "" || this.#type === "message";
    // The id of an event without data counts too: servers open streams with one.
    this.#lastEventId = this.#id;
    const bytes = this.#dataBytes;
    this.#data = [];
    this.#dataBytes = 0;
    this.#type = "";
    if (isMessage && bytes > 1) this.#options.onData(joinLines(data, bytes - 1));
  }
}

function indexOf(chunk: Uint8Array, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? Infinity : at;
}

function afterSpace(value: Uint8Array): Uint8Array {
  return value[0] === 0x20 ? value.subarray(1) : value;
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only ? only : Buffer.concat(pieces, length);
}

function joinLines(lines: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = lines;
  if (lines.length === 1 && only) return only;
  const joined = Buffer.alloc(length, LF);
  let at = 0;
  for (const line of lines) {
    joined.set(line, at);
    at += line.length + 1;
  }
  return joined;
}
