import { Buffer } from "node:buffer";

/** Smaller pieces are copied together: a list entry per byte would outweigh the bytes. */
const SMALL_BYTES = 4 * 1024;
const BLOCK_BYTES = 64 * 1024;

/** The start of a line whose end has not come yet: large pieces by reference, small ones gathered in blocks. */
export class PendingLine {
  #pieces: Uint8Array[] = [];
  #length = 0;
  #last: number | undefined;
  /** Room for small pieces, and how much of it is used but not among the pieces yet. */
  #block = new Uint8Array(0);
  #gathered = 0;

  get length(): number {
    return this.#length;
  }

  /** The last byte, if there is any. */
  get last(): number | undefined {
    return this.#last;
  }

  append(piece: Uint8Array): void {
    this.#length += piece.length;
    this.#last = piece.at(-1) ?? this.#last;
    if (piece.length >= SMALL_BYTES) {
      this.#closeGathered();
      this.#pieces.push(piece);
      return;
    }
    if (this.#gathered + piece.length > this.#block.length) {
      this.#closeGathered();
      this.#block = new Uint8Array(BLOCK_BYTES);
    }
    this.#block.set(piece, this.#gathered);
    this.#gathered += piece.length;
  }

  /** Hands the bytes over as one array of their own and starts afresh. */
  take(): Uint8Array {
    this.#closeGathered();
    const pieces = this.#pieces;
    this.clear();
    return Buffer.concat(pieces);
  }

  clear(): void {
    this.#closeGathered();
    this.#pieces = [];
    this.#length = 0;
    this.#last = undefined;
  }

  #closeGathered(): void {
    if (this.#gathered === 0) return;
    this.#pieces.push(this.#block.subarray(0, this.#gathered));
    this.#block = this.#block.subarray(this.#gathered);
    this.#gathered = 0;
  }
}
