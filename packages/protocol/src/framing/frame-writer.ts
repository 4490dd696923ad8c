import type { Writable } from "node:stream";
import { ProtocolError } from "../errors.ts";
import { limitOf } from "../limits.ts";

/** Why nothing more can be written. */
export type OutputFault =
  | { readonly kind: "output_stalled"; readonly queuedBytes: number }
  | { readonly kind: "output_broken"; readonly cause: Error };

export interface FrameWriterOptions {
  /** Queued bytes at which the reader counts as behind. @default 16 MiB */
  readonly maxQueuedBytes?: number;
  /** How long the queue may stay full without a byte being read. @default 30 000 */
  readonly stallMs?: number;
  /** Told once, when the output stalls or breaks; every write then rejects with that code. */
  readonly onFault?: (fault: OutputFault) => void;
}

interface QueuedFrame {
  readonly bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: ProtocolError) => void;
}

/** A slow reader differs from a stalled one by bytes leaving, so large frames go out in slices. */
const SLICE_BYTES = 64 * 1024;

/**
 * Writes one JSON message per line, in order. A write resolves once its bytes left this process, so a caller
 * that awaits is held back by a slow reader.
 */
export class FrameWriter {
  readonly #output: Writable;
  readonly #options: Required<FrameWriterOptions>;
  readonly #queue: QueuedFrame[] = [];
  /** Bytes of the first queued frame that have left. */
  #sentBytes = 0;
  #queuedBytes = 0;
  #writing = false;
  #refusal: ProtocolError | undefined;
  #stallTimer: NodeJS.Timeout | undefined;
  #onRoom: (() => void)[] = [];

  constructor(output: Writable, options: FrameWriterOptions = {}) {
    this.#output = output;
    this.#options = {
      maxQueuedBytes: limitOf("maxQueuedBytes", options.maxQueuedBytes),
      stallMs: limitOf("stallMs", options.stallMs),
      onFault: options.onFault ?? (() => undefined),
    };
    output.on("error", (cause) => this.#break(cause));
    output.on("close", () => this.#break(new Error("The output was closed.")));
  }

  /** Whether the queue is full; a server then stops reading requests. */
  get full(): boolean {
    return this.#queuedBytes >= this.#options.maxQueuedBytes;
  }

  /** Queues one message. Rejects with a ProtocolError: output_stalled, output_broken, output_closed. */
  async write(message: object): Promise<void> {
    if (this.#refusal !== undefined) throw this.#refusal;
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
    await new Promise<void>((resolve, reject) => {
      this.#queue.push({ bytes, resolve, reject });
      this.#queuedBytes += bytes.length;
      this.#watchForStall();
      this.#pump();
    });
  }

  /** Resolves when the queue is not full, or nothing more will leave it. */
  async whenNotFull(): Promise<void> {
    while (this.full) await new Promise<void>((resolve) => this.#onRoom.push(resolve));
  }

  /** Refuses further writes and resolves once everything queued has left, or cannot. Leaves the output open. */
  async close(): Promise<void> {
    this.#refusal ??= new ProtocolError("output_closed", "The frame writer was closed.");
    while (this.#queuedBytes > 0) await new Promise<void>((resolve) => this.#onRoom.push(resolve));
  }

  #pump(): void {
    const [head] = this.#queue;
    if (this.#writing || head === undefined) return;
    const slice = head.bytes.subarray(this.#sentBytes, this.#sentBytes + SLICE_BYTES);
    this.#writing = true;
    this.#output.write(slice, (error) => {
      this.#writing = false;
      if (error) this.#break(error);
      else this.#advance(head, slice.length);
    });
  }

  #advance(head: QueuedFrame, bytes: number): void {
    // The queue is empty when the writer broke while this slice was on its way.
    if (this.#queue[0] !== head) return;
    this.#queuedBytes -= bytes;
    this.#sentBytes += bytes;
    if (this.#sentBytes === head.bytes.length) {
      this.#queue.shift();
      this.#sentBytes = 0;
      head.resolve();
    }
    clearTimeout(this.#stallTimer);
    this.#stallTimer = undefined;
    this.#watchForStall();
    this.#tellRoom();
    this.#pump();
  }

  #watchForStall(): void {
    if (!this.full || this.#stallTimer !== undefined) return;
    this.#stallTimer = setTimeout(() => this.#stall(), this.#options.stallMs);
  }

  #stall(): void {
    const { stallMs } = this.#options;
    const queuedBytes = this.#queuedBytes;
    const message = `The reader took nothing for ${String(stallMs)} ms with ${String(queuedBytes)} bytes waiting.`;
    this.#fail(new ProtocolError("output_stalled", message), {
      kind: "output_stalled",
      queuedBytes,
    });
  }

  #break(cause: Error): void {
    const error = new ProtocolError("output_broken", `The output broke: ${cause.message}`, {
      cause,
    });
    this.#fail(error, { kind: "output_broken", cause });
  }

  #fail(error: ProtocolError, fault: OutputFault): void {
    const idle = this.#queue.length === 0 && this.#refusal?.code === "output_closed";
    const ended = this.#refusal !== undefined && this.#refusal.code !== "output_closed";
    if (idle || ended) return;
    this.#refusal = error;
    clearTimeout(this.#stallTimer);
    this.#queuedBytes = 0;
    for (const frame of this.#queue.splice(0)) frame.reject(error);
    this.#tellRoom();
    this.#options.onFault(fault);
  }

  #tellRoom(): void {
    for (const resolve of this.#onRoom.splice(0)) resolve();
  }
}
