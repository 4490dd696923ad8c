/// <reference lib="es2024.arraybuffer" />
import { limitOf } from "../limits.ts";

/** Why a line was not handed over as a frame. */
export type FrameFault =
  | { readonly kind: "too_large"; readonly limitBytes: number }
  | { readonly kind: "frame_flood"; readonly limitBytes: number }
  | { readonly kind: "truncated_input"; readonly pendingBytes: number };

export interface FrameReaderOptions {
  /** Bytes of one line without its end. @default 4 MiB */
  readonly maxFrameBytes?: number;
  /** Bytes of one oversize line thrown away before the reader gives up. @default 256 MiB */
  readonly maxDiscardBytes?: number;
  /** Gets each line that is not blank, without LF and one trailing CR. */
  readonly onFrame: (bytes: Uint8Array) => void;
  readonly onFault: (fault: FrameFault) => void;
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Splits a byte stream into lines in linear time for any chunking. Memory stays under the cap plus one chunk:
 * an oversize line is reported once and thrown away as it arrives. Frames are bytes; what they mean is judged
 * elsewhere. After `frame_flood` everything is ignored.
 */
export class FrameReader {
  readonly #options: Required<FrameReaderOptions>;
  #pending = new Uint8Array(0);
  #pendingBytes = 0;
  #state: "reading" | "discarding" | "ended" = "reading";
  #discardedBytes = 0;

  constructor(options: FrameReaderOptions) {
    this.#options = {
      ...options,
      maxFrameBytes: limitOf("maxFrameBytes", options.maxFrameBytes),
      maxDiscardBytes: limitOf("maxDiscardBytes", options.maxDiscardBytes),
    };
  }

  /** Takes the next bytes; calls back for each line they end. A frame may be a view into `chunk`. */
  push(chunk: Uint8Array): void {
    let start = 0;
    while (start < chunk.length && this.#state !== "ended") {
      const end = chunk.indexOf(LF, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      start += piece.length + 1;
      if (this.#state === "discarding") this.#discard(piece.length);
      else this.#accept(piece, end !== -1);
      if (end !== -1 && this.#state === "discarding") {
        this.#state = "reading";
        this.#discardedBytes = 0;
      }
    }
  }

  /** Says that no more bytes come. A line without its LF is never handed over: it may be half a message. */
  end(): void {
    if (this.#state === "ended") return;
    const pendingBytes = this.#pendingBytes + this.#discardedBytes;
    const inside =
      this.#state === "discarding" || !isBlank(this.#pending.subarray(0, this.#pendingBytes));
    this.#state = "ended";
    if (inside) this.#options.onFault({ kind: "truncated_input", pendingBytes });
  }

  #accept(piece: Uint8Array, complete: boolean): void {
    const { maxFrameBytes } = this.#options;
    const last = piece.at(-1) ?? this.#pending[this.#pendingBytes - 1];
    const total = this.#pendingBytes + piece.length;
    const frameBytes = last === CR ? total - 1 : total;
    if (frameBytes > maxFrameBytes) {
      this.#takePending();
      this.#state = "discarding";
      this.#options.onFault({ kind: "too_large", limitBytes: maxFrameBytes });
      this.#discard(total);
      return;
    }
    if (!complete) {
      this.#append(piece);
      return;
    }
    let line = piece;
    if (this.#pendingBytes > 0) {
      this.#append(piece);
      line = this.#takePending();
    }
    const frame = line.subarray(0, frameBytes);
    if (!isBlank(frame)) this.#options.onFrame(frame);
  }

  #append(piece: Uint8Array): void {
    const needed = this.#pendingBytes + piece.length;
    if (needed > this.#pending.length) {
      const grown = Math.max(needed, Math.min(needed * 2, this.#options.maxFrameBytes + 1));
      // transfer() frees the old block at once, so growth never keeps two copies for the collector.
      this.#pending = new Uint8Array(this.#pending.buffer.transfer(grown));
    }
    this.#pending.set(piece, this.#pendingBytes);
    this.#pendingBytes = needed;
  }

  /** Gives the pending bytes away: the next line starts a block of its own. */
  #takePending(): Uint8Array {
    const line = this.#pending.subarray(0, this.#pendingBytes);
    this.#pending = new Uint8Array(0);
    this.#pendingBytes = 0;
    return line;
  }

  #discard(bytes: number): void {
    this.#discardedBytes += bytes;
    if (this.#discardedBytes <= this.#options.maxDiscardBytes) return;
    this.#state = "ended";
    this.#options.onFault({ kind: "frame_flood", limitBytes: this.#options.maxDiscardBytes });
  }
}

function isBlank(frame: Uint8Array): boolean {
  return frame.every((byte) => byte === SPACE || byte === TAB || byte === CR);
}
