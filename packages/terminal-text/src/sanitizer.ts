import { TerminalTextError } from "./errors.ts";
import { EscapeMachine } from "./escape-machine.ts";
import { resolveOptions, type SanitizeOptions } from "./options.ts";
import { hidesText, plainRendition, type Rendition } from "./rendition.ts";
import { applyParameters } from "./rendition-parameters.ts";
import { emptyReport, type MutableReport, type SanitizeReport } from "./report.ts";
import { TextWriter, type WriterOptions } from "./text-writer.ts";
import { Utf8Reader } from "./utf8-reader.ts";

export interface Sanitizer {
  /** Takes the next bytes, cut anywhere, and returns the text that is certain so far. */
  push(chunk: Uint8Array): string;
  /** Returns the rest. Nothing can be pushed afterwards. */
  end(): string;
  /** What was met so far. */
  report(): SanitizeReport;
}

/** Cleans a stream. Retained memory does not depend on how much passes through. */
export function createSanitizer(options: SanitizeOptions): Sanitizer {
  return new ByteSanitizer(resolveOptions(options));
}

/** @internal */
export class ByteSanitizer implements Sanitizer {
  readonly #report: MutableReport = emptyReport();
  readonly #writer: TextWriter;
  readonly #machine: EscapeMachine;
  readonly #reader: Utf8Reader;
  readonly #counter: ByteSanitizer | undefined;
  #ended = false;

  constructor(options: WriterOptions) {
    const writer = new TextWriter(options, this.#report);
    this.#writer = writer;
    const machine = followEscapes(writer, this.#report, options);
    this.#machine = machine;
    const follow = (codePoint: number, bytes: number): void => machine.push(codePoint, bytes);
    const escape = (codePoint: number): void => {
      if (codePoint < 0x20 || codePoint === 0x7f) writer.control(codePoint);
      else writer.print(codePoint);
    };
    const isLog = options.mode === "log";
    this.#reader = new Utf8Reader(isLog ? escape : follow, this.#report);
    // A log shows every byte, so a second pass that takes sequences apart does the counting.
    this.#counter = isLog ? new ByteSanitizer({ ...options, mode: "model" }) : undefined;
  }

  push(chunk: Uint8Array): string {
    this.write(chunk);
    return this.#writer.take();
  }

  write(chunk: Uint8Array): void {
    if (this.#ended) throw new TerminalTextError("already_ended", "The sanitizer has ended.");
    this.#report.inputBytes += chunk.length;
    let position = 0;
    while (position < chunk.length) {
      if (this.#machine.idle && this.#reader.idle) {
        position = this.#writer.copyPrintable(chunk, position, chunk.length);
      }
      const byte = chunk[position];
      if (byte !== undefined) this.#reader.push(byte);
      position += 1;
    }
    this.#counter?.push(chunk);
  }

  end(): string {
    if (!this.#ended) {
      this.#reader.end();
      this.#machine.end();
      this.#writer.end();
      this.#counter?.end();
    }
    this.#ended = true;
    return this.#writer.take();
  }

  report(): SanitizeReport {
    return this.#counter?.report() ?? { ...this.#report };
  }
}

function followEscapes(
  writer: TextWriter,
  report: MutableReport,
  { maxStringBytes, sgr }: WriterOptions,
): EscapeMachine {
  let rendition: Rendition = plainRendition;
  let saved = plainRendition;
  const select = (next: Rendition): void => {
    rendition = next;
    writer.setRendition(next);
  };
  return new EscapeMachine(
    {
      print: (codePoint) => writer.print(codePoint),
      control: (codePoint) => writer.control(codePoint),
      selectRendition: (parameters) => select(applyParameters(rendition, parameters)),
      saveRendition: () => (saved = rendition),
      // Two bytes may restore what took forty to write; in colour only what hides text is restored.
      restoreRendition: () =>
        select(sgr === "drop" ? saved : { ...plainRendition, conceal: hidesText(saved) }),
      resetRendition: () => select(plainRendition),
    },
    report,
    maxStringBytes,
  );
}
