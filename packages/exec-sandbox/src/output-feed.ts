export type OutputStream = "stdout" | "stderr";

/** Receives text as it arrives, whole characters only. */
export type OutputListener = (stream: OutputStream, text: string) => void;

/** Passes output on up to the cap, in order of arrival, and ends with one note when there was more. */
export class OutputFeed {
  readonly #listener: OutputListener;
  readonly #capBytes: number;
  #left: number;
  #ended = false;
  readonly #decoders = { stdout: newDecoder(), stderr: newDecoder() };

  constructor(listener: OutputListener, capBytes: number) {
    this.#listener = listener;
    this.#capBytes = capBytes;
    this.#left = capBytes;
  }

  push(stream: OutputStream, chunk: Uint8Array): void {
    if (this.#ended) return;
    const allowed = chunk.subarray(0, this.#left);
    this.#left -= allowed.length;
    this.#emit(stream, this.#decoders[stream].decode(allowed, { stream: true }));
    if (allowed.length === chunk.length) return;
    this.#ended = true;
    this.#emit(stream, `\n[output after ${String(this.#capBytes)} bytes is not shown here]\n`);
  }

  /** Passes on what an ended stream left of a broken character. */
  end(stream: OutputStream): void {
    if (!this.#ended) this.#emit(stream, this.#decoders[stream].decode());
  }

  #emit(stream: OutputStream, text: string): void {
    if (text !== "") this.#listener(stream, text);
  }
}

function newDecoder(): InstanceType<typeof TextDecoder> {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}
