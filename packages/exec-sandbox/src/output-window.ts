const FIRST_BYTES = 8 * 1024;

/** The first and the last bytes of a stream of any length, in memory fixed by the two capacities. */
export class OutputWindow {
  readonly #head: Region;
  readonly #ring: Region;
  /** Where the oldest byte of a full ring lies. */
  #oldest = 0;
  #total = 0;

  constructor(headCapacity: number, tailCapacity: number) {
    this.#head = new Region(headCapacity);
    this.#ring = new Region(tailCapacity);
  }

  /** Bytes pushed so far, kept or not. */
  get total(): number {
    return this.#total;
  }

  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const rest = chunk.subarray(this.#head.append(chunk));
    const capacity = this.#ring.capacity;
    // Only the end of a chunk larger than the ring can stay in it.
    this.#pushRing(rest.length > capacity ? rest.subarray(rest.length - capacity) : rest);
  }

  /** A copy of the first `count` kept bytes, or of all when there are fewer. */
  first(count: number): Buffer {
    return this.#copy(0, Math.min(count, this.#keptLength()));
  }

  /** A copy of the last `count` kept bytes, or of all when there are fewer. */
  last(count: number): Buffer {
    const kept = this.#keptLength();
    return this.#copy(Math.max(0, kept - count), kept);
  }

  #pushRing(bytes: Uint8Array): void {
    let rest = bytes.subarray(this.#ring.append(bytes));
    while (rest.length > 0) {
      const room = Math.min(rest.length, this.#ring.capacity - this.#oldest);
      this.#ring.write(rest.subarray(0, room), this.#oldest);
      this.#oldest = (this.#oldest + room) % this.#ring.capacity;
      rest = rest.subarray(room);
    }
  }

  #keptLength(): number {
    return this.#head.view().length + this.#ring.view().length;
  }

  #copy(from: number, to: number): Buffer {
    const ring = this.#ring.view();
    const copy = Buffer.alloc(to - from);
    let start = 0;
    for (const part of [
      this.#head.view(),
      ring.subarray(this.#oldest),
      ring.subarray(0, this.#oldest),
    ]) {
      const wanted = part.subarray(Math.max(0, from - start), Math.max(0, to - start));
      if (wanted.length > 0) copy.set(wanted, Math.max(0, start - from));
      start += part.length;
    }
    return copy;
  }
}

/** A byte buffer that starts small and grows once to its capacity. */
class Region {
  readonly capacity: number;
  #bytes: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#bytes = Buffer.alloc(0);
  }

  /** Appends what fits and returns how much that was. */
  append(chunk: Uint8Array): number {
    const count = Math.min(chunk.length, this.capacity - this.#length);
    if (count === 0) return 0;
    this.#reserve(this.#length + count);
    this.#bytes.set(chunk.subarray(0, count), this.#length);
    this.#length += count;
    return count;
  }

  write(chunk: Uint8Array, at: number): void {
    this.#bytes.set(chunk, at);
  }

  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return;
    const size = length <= FIRST_BYTES ? Math.min(FIRST_BYTES, this.capacity) : this.capacity;
    const grown = Buffer.allocUnsafeSlow(size);
    grown.set(this.view());
    this.#bytes = grown;
  }
}
