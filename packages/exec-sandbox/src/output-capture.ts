import type { Readable } from "node:stream";
import { allot, captureWindow, type CapturedStream } from "./captured-stream.ts";
import type { OutputFeed, OutputStream } from "./output-feed.ts";
import { OutputWindow } from "./output-window.ts";

export interface CaptureOptions {
  readonly capBytes: number;
  readonly feed: OutputFeed | undefined;
  /** Called once, when both streams together passed the cap. */
  readonly onOverflow: () => void;
}

/** Reads both output pipes to their end, keeping what any outcome of the allotment may need. */
export class OutputCapture {
  readonly #streams: readonly Readable[];
  readonly #windows: Readonly<Record<OutputStream, OutputWindow>>;
  readonly #options: CaptureOptions;
  readonly #closed: Promise<true>;
  #overflowed = false;

  constructor(stdout: Readable, stderr: Readable, options: CaptureOptions) {
    const half = Math.ceil(options.capBytes / 2);
    this.#options = options;
    this.#streams = [stdout, stderr];
    this.#windows = { stdout: new OutputWindow(half, half), stderr: new OutputWindow(half, half) };
    this.#closed = Promise.all([this.#read("stdout", stdout), this.#read("stderr", stderr)]).then(
      () => true,
    );
  }

  /** Whether both pipes reached their end within the time. */
  async closedWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, ms, false);
    });
    const closed = await Promise.race([this.#closed, late]);
    clearTimeout(timer);
    return closed;
  }

  /** Stops reading and gives what was kept; depends on the bytes read, not on their timing. */
  finish(): { readonly stdout: CapturedStream; readonly stderr: CapturedStream } {
    for (const stream of this.#streams) stream.destroy();
    const { stdout, stderr } = this.#windows;
    const [toStdout, toStderr] = allot(this.#options.capBytes, stdout.total, stderr.total);
    return { stdout: captureWindow(stdout, toStdout), stderr: captureWindow(stderr, toStderr) };
  }

  async #read(name: OutputStream, stream: Readable): Promise<void> {
    await new Promise<void>((resolve) => {
      stream.on("data", (chunk: Buffer) => this.#take(name, chunk));
      stream.on("end", () => this.#options.feed?.end(name));
      // A read error closes the pipe; what came before it is the output.
      stream.on("error", () => undefined);
      stream.once("close", resolve);
    });
  }

  #take(name: OutputStream, chunk: Buffer): void {
    this.#windows[name].push(chunk);
    this.#options.feed?.push(name, chunk);
    release(chunk);
    if (this.#overflowed) return;
    const { stdout, stderr } = this.#windows;
    if (stdout.total + stderr.total <= this.#options.capBytes) return;
    this.#overflowed = true;
    this.#options.onOverflow();
  }
}

/**
 * Frees a chunk's memory now. V8 collects read buffers only after 64 MiB of them, so a flood would cost that much.
 */
function release(chunk: Buffer): void {
  const memory = chunk.buffer as ArrayBuffer & { transfer?(length: number): ArrayBuffer };
  // Only memory that holds this chunk alone; small chunks may share a pool.
  if (chunk.length === memory.byteLength) memory.transfer?.(0);
}
