import {
  BIDI,
  C1,
  CATEGORY,
  CONTEXTUAL,
  FILLER,
  kindOf,
  MARK,
  PLAIN,
  TAG,
  type Kind,
} from "./code-points.ts";
import { hiddenMark, jsonEscape, runMark } from "./notation.ts";
import { Neighbour } from "./neighbour.ts";
import type { ResolvedOptions } from "./options.ts";
import { hidesText, plainRendition, renditionChange, type Rendition } from "./rendition.ts";
import type { MutableReport } from "./report.ts";
import { TextBuffer } from "./text-buffer.ts";

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const CARET = 0x5e;
const MAX_MARKS = 8;

export interface WriterOptions extends ResolvedOptions {
  /** Called with each finished line instead of writing its LF; a CR alone then shows as `^M`. */
  readonly onLine?: (text: string) => void;
}

/**
 * Writes code points as safe text. What cannot be decided until more is known waits here: CRs, a joiner, a
 * run of forbidden characters, a run of concealed ones. At most one of them waits at a time, and what it
 * becomes depends on the output before and after it alone, so cleaning cleaned text changes nothing.
 */
export class TextWriter {
  readonly #options: WriterOptions;
  readonly #report: MutableReport;
  readonly #buffer = new TextBuffer();
  readonly #neighbour = new Neighbour();
  #waiting: "nothing" | "returns" | "joiner" | "forbidden" | "hidden" = "nothing";
  #waitingCount = 0;
  #waitingCodePoint = 0;
  #blanksAfterHidden = 0;
  #marksOnBase = 0;
  #hiddenRunMarked = false;
  #hides = false;
  #rendition = plainRendition;
  #shown = plainRendition;

  constructor(options: WriterOptions, report: MutableReport) {
    this.#options = options;
    this.#report = report;
  }

  take(): string {
    return this.#buffer.take();
  }

  /** Copies a run of printable ASCII and returns where it stopped; nowhere while anything else is due. */
  copyPrintable(chunk: Uint8Array, from: number, to: number): number {
    if (this.#waiting !== "nothing" || this.#hides || this.#rendition !== this.#shown) return from;
    const stop = this.#buffer.copyPrintable(chunk, from, to);
    if (stop > from) this.#standsBefore(chunk[stop - 1] ?? 0, PLAIN);
    return stop;
  }

  setRendition(rendition: Rendition): void {
    this.#hides = hidesText(rendition);
    if (!this.#hides) this.#hiddenRunMarked = false;
    this.#rendition = rendition;
  }

  print(codePoint: number): void {
    const kind = kindOf(codePoint);
    const category = kind & CATEGORY;
    if (this.#hides && this.#options.mode !== "log") {
      this.#hide(codePoint, category);
    } else if (category === PLAIN) {
      if (this.#waiting !== "nothing") this.#settle(codePoint, kind);
      if ((kind & MARK) !== 0 && this.#marksOnBase >= MAX_MARKS) this.#report.combiningCut += 1;
      else this.#put(codePoint, kind);
    } else {
      this.#printUnusual(codePoint, kind);
    }
  }

  /** Takes any C0 control, DEL, or a C1 control. */
  control(codePoint: number): void {
    if (codePoint === LF) {
      this.#endLine();
    } else if (codePoint === 0x09) {
      this.#settle();
      this.#put(codePoint, PLAIN);
    } else if (codePoint >= 0x80) {
      this.#forbid(codePoint, C1);
    } else if (codePoint === CR && this.#options.mode !== "log") {
      if (this.#waiting !== "returns") this.#settle();
      this.#waiting = "returns";
      this.#waitingCount += 1;
    } else {
      this.#settle();
      this.#showControl(codePoint);
    }
  }

  end(): void {
    this.#settle();
    this.#rendition = plainRendition;
    this.#applyRendition();
  }

  #printUnusual(codePoint: number, kind: Kind): void {
    const category = kind & CATEGORY;
    if (this.#waiting !== "nothing" && this.#waiting !== "forbidden") this.#settle(codePoint, kind);
    if (category >= CONTEXTUAL && this.#waiting === "nothing") {
      const verdict = this.#neighbour.judge(codePoint, category);
      if (verdict === "fits") {
        this.#put(codePoint, kind);
        return;
      }
      if (verdict === "depends_on_next") {
        this.#waiting = "joiner";
        this.#waitingCodePoint = codePoint;
        return;
      }
    }
    this.#forbid(codePoint, category);
  }

  #forbid(codePoint: number, category: number): void {
    this.#count(category);
    if (this.#options.mode === "log") {
      this.#settle();
      this.#note(jsonEscape(codePoint));
      return;
    }
    if (this.#waiting !== "forbidden") {
      this.#settle();
      this.#waiting = "forbidden";
      this.#waitingCodePoint = codePoint;
    }
    this.#waitingCount += 1;
  }

  #hide(codePoint: number, category: number): void {
    if (this.#waiting !== "hidden") this.#settle();
    // A concealed blank looks like any other blank, so only those inside a run are part of it.
    if (codePoint === SPACE && this.#waiting === "hidden") {
      this.#blanksAfterHidden += 1;
    } else if (codePoint === SPACE) {
      this.#put(codePoint, PLAIN);
    } else {
      if (category !== PLAIN && category < CONTEXTUAL) this.#count(category);
      const added = this.#blanksAfterHidden + 1;
      this.#blanksAfterHidden = 0;
      this.#waiting = "hidden";
      this.#waitingCount += added;
      this.#report.hiddenChars += added;
    }
  }

  #endLine(): void {
    const returns = this.#waiting === "returns" ? this.#waitingCount : 0;
    if (returns > 0) {
      this.#waiting = "nothing";
      this.#waitingCount = 0;
      const keeps = this.#options.keepCrLf && this.#options.mode === "model";
      this.#report.controls += keeps ? returns - 1 : returns;
      if (keeps) this.#buffer.writeCodePoint(CR);
    } else {
      this.#settle();
    }
    this.#standsBefore(LF, PLAIN);
    if (this.#options.onLine) {
      this.#hiddenRunMarked = false;
      this.#options.onLine(this.#buffer.take());
    } else {
      this.#buffer.writeCodePoint(LF);
    }
  }

  /** Writes what waits, given the code point that follows it, if one does. */
  #settle(next = -1, nextKind: Kind = PLAIN): void {
    if (this.#waiting === "joiner") {
      this.#waiting = "nothing";
      if (this.#neighbour.completes(this.#waitingCodePoint, next, nextKind)) {
        this.#put(this.#waitingCodePoint, kindOf(this.#waitingCodePoint));
        return;
      }
      this.#forbid(this.#waitingCodePoint, kindOf(this.#waitingCodePoint) & CATEGORY);
      if ((nextKind & CATEGORY) !== PLAIN) return;
    }
    const waiting = this.#waiting;
    const count = this.#waitingCount;
    this.#waiting = "nothing";
    this.#waitingCount = 0;
    if (waiting === "returns") this.#settleReturns(count);
    else if (waiting === "forbidden") this.#note(runMark(this.#waitingCodePoint, count));
    else if (waiting === "hidden") this.#settleHidden(count);
  }

  #settleReturns(count: number): void {
    if (this.#options.mode === "model" && !this.#options.onLine) {
      this.#report.controls += count;
      this.#buffer.writeCodePoint(LF);
      this.#standsBefore(LF, PLAIN);
      return;
    }
    for (let written = 0; written < count; written += 1) this.#showControl(CR);
  }

  #settleHidden(count: number): void {
    if (this.#options.hidden === "mark") {
      this.#note(hiddenMark(count, this.#hiddenRunMarked));
      this.#hiddenRunMarked = this.#hides;
    }
    const blanks = this.#blanksAfterHidden;
    this.#blanksAfterHidden = 0;
    for (let written = 0; written < blanks; written += 1) this.#put(SPACE, PLAIN);
  }

  #showControl(codePoint: number): void {
    this.#report.controls += 1;
    if (this.#options.mode === "log") {
      this.#note(jsonEscape(codePoint));
    } else {
      this.#put(CARET, PLAIN);
      this.#put(codePoint ^ 0x40, PLAIN);
    }
  }

  /** Writes a stand-in for something that does not come through. */
  #note(text: string): void {
    this.#applyRendition();
    this.#buffer.writeText(text);
    this.#standsBefore(text.charCodeAt(text.length - 1), PLAIN);
  }

  #put(codePoint: number, kind: Kind): void {
    // A sequence inside a cluster would tear the mark off its base.
    const continues = (kind & MARK) !== 0 || (kind & CATEGORY) !== PLAIN || this.#neighbour.joins;
    if (this.#rendition !== this.#shown && !continues) this.#applyRendition();
    this.#buffer.writeCodePoint(codePoint);
    this.#standsBefore(codePoint, kind);
  }

  #standsBefore(codePoint: number, kind: Kind): void {
    this.#neighbour.set(codePoint, kind);
    if ((kind & MARK) !== 0) this.#marksOnBase += 1;
    else if ((kind & CATEGORY) === PLAIN) this.#marksOnBase = 0;
  }

  /** A mark for concealed text must not be concealed itself, so it is written in the default colours. */
  #applyRendition(): void {
    const wanted = this.#hides ? plainRendition : this.#rendition;
    if (this.#options.mode === "terminal" && this.#options.sgr === "colours") {
      const change = renditionChange(this.#shown, wanted);
      if (change !== "") this.#buffer.writeText(change);
    }
    this.#shown = wanted;
  }

  #count(category: number): void {
    if (category === BIDI) this.#report.bidi += 1;
    else if (category === TAG) this.#report.tags += 1;
    else if (category === FILLER) this.#report.fillers += 1;
    else if (category === C1) this.#report.controls += 1;
    else this.#report.invisible += 1;
  }
}
