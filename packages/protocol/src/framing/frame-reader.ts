import { limitOf } from "../limits.ts";
import { PendingLine } from "./pending-line.ts";

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
  readonly #pending = new PendingLine();
  /** Whether everything pending is white space. */
  #blank = true;
  #state: "reading" | "discarding" | "ended" = "reading";
  #discardedBytes = 0;

  constructor(options: FrameReaderOptions) {
    this.#options = {
      ...options,
      maxFrameBytes: limitOf("maxFrameBytes", options.maxFrameBytes),
      maxDiscardBytes: limitOf("maxDiscardBytes", options.maxDiscardBytes),
    };
  }

  /** Takes the next bytes and calls back for each line they end. The chunk must not change afterwards. */
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
    const pendingBytes = this.#pending.length + this.#discardedBytes;
    const inside = this.#state === "discarding" || !this.#blank;
    this.#state = "ended";
    if (inside) this.#options.onFault({ kind: "truncated_input", pendingBytes });
  }

  #accept(piece: Uint8Array, complete: boolean): void {
    const { maxFrameBytes, onFrame, onFault } = this.#options;
    const total = this.#pending.length + piece.length;
    const frameBytes = (piece.at(-1) ?? this.#pending.last) === CR ? total - 1 : total;
    if (frameBytes > maxFrameBytes) {
      this.#pending.clear();
      this.#blank = true;
      this.#state = "discarding";
      onFault({ kind: "too_large", limitBytes: maxFrameBytes });
      this.#discard(total);
      return;
    }
    this.#blank &&= piece.every(isBlank);
    const inOnePiece = complete && this.#pending.length === 0;
    if (!inOnePiece) this.#pending.append(piece);
    if (!complete) return;
    const line = inOnePiece ? piece : this.#pending.take();
    const blank = this.#blank;
    this.#blank = true;
    if (!blank) onFrame(line.subarray(0, frameBytes));
  }

  #discard(bytes: number): void {
    this.#discardedBytes += bytes;
    if (this.#discardedBytes <= this.#options.maxDiscardBytes) return;
    this.#state = "ended";
    this.#options.onFault({ kind: "frame_flood", limitBytes: this.#options.maxDiscardBytes });
  }
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CR;
}
