import type { MutableReport } from "./report.ts";

export interface EscapeEvents {
  print(codePoint: number): void;
  /** A single control: C0 (never ESC), DEL, or C1 that opens nothing. */
  control(codePoint: number): void;
  /** The parameter bytes of one "select graphic rendition". */
  selectRendition(parameters: Uint8Array): void;
  saveRendition(): void;
  restoreRendition(): void;
  resetRendition(): void;
}

type State = "ground" | "escape" | "escape_intermediate" | "csi" | "string";

const BEL = 0x07;
const LF = 0x0a;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
const DEL = 0x7f;
const DCS = 0x90;
const SOS = 0x98;
const CSI = 0x9b;
const ST = 0x9c;
const OSC = 0x9d;
const PM = 0x9e;
const APC = 0x9f;
const EXCLAMATION = 0x21;
const SEMICOLON = 0x3b;
const MAX_PARAMETER_BYTES = 256;

/**
 * The ECMA-48 state machine, with the transitions of a VT500: controls inside a sequence are executed at
 * once, CAN and SUB abort, ESC restarts. A control string also ends at LF or beyond `maxStringBytes`; what
 * follows is text again.
 */
export class EscapeMachine {
  readonly #events: EscapeEvents;
  readonly #report: MutableReport;
  readonly #maxStringBytes: number;
  #state: State = "ground";
  #stringBytes = 0;
  #isOsc = false;
  #closesString = false;
  readonly #parameters = new Uint8Array(MAX_PARAMETER_BYTES);
  #parameterCount = 0;
  #isPrivate = false;
  #intermediate = 0;

  constructor(events: EscapeEvents, report: MutableReport, maxStringBytes: number) {
    this.#events = events;
    this.#report = report;
    this.#maxStringBytes = maxStringBytes;
  }

  get idle(): boolean {
    return this.#state === "ground";
  }

  push(codePoint: number, bytes: number): void {
    if (this.#state === "string" && this.#isStringContent(codePoint, bytes)) return;
    if (codePoint < 0x20 || (codePoint >= DEL && codePoint < 0xa0)) {
      this.#control(codePoint);
      return;
    }
    if (codePoint >= 0xa0) this.#state = "ground";
    switch (this.#state) {
      case "ground":
      case "string":
        this.#events.print(codePoint);
        return;
      case "escape":
      case "escape_intermediate":
        this.#escape(codePoint);
        return;
      case "csi":
        this.#csi(codePoint);
    }
  }

  end(): void {
    if (this.#state !== "ground") this.#report.unterminated = true;
    this.#state = "ground";
  }

  #isStringContent(codePoint: number, bytes: number): boolean {
    if (codePoint === ESC) return false;
    if (codePoint === ST || (codePoint === BEL && this.#isOsc)) {
      this.#state = "ground";
      return true;
    }
    const isControl = codePoint >= 0x80 && codePoint < 0xa0;
    if (codePoint === CAN || codePoint === SUB || isControl) {
      this.#state = "ground";
      return false;
    }
    this.#stringBytes += bytes;
    if (codePoint !== LF && this.#stringBytes <= this.#maxStringBytes) return true;
    this.#report.unterminated = true;
    this.#state = "ground";
    return false;
  }

  #control(codePoint: number): void {
    switch (codePoint) {
      case ESC:
        // A two-byte ST belongs to its string and is no sequence of its own.
        this.#closesString = this.#state === "string";
        this.#state = "escape";
        this.#report.sequences += 1;
        return;
      case CSI:
        this.#report.sequences += 1;
        this.#openCsi();
        return;
      case DCS:
      case SOS:
      case OSC:
      case PM:
      case APC:
        this.#openString(codePoint);
        return;
      case ST:
        this.#report.sequences += 1;
        this.#state = "ground";
        return;
      default:
        if (codePoint === CAN || codePoint === SUB || codePoint >= 0x80) this.#state = "ground";
        this.#events.control(codePoint);
    }
  }

  #escape(codePoint: number): void {
    if (codePoint < 0x30) {
      this.#state = "escape_intermediate";
      return;
    }
    const isPlain = this.#state === "escape";
    this.#state = "ground";
    if (!isPlain) return;
    switch (codePoint) {
      case CSI - 0x40:
        this.#openCsi();
        return;
      case DCS - 0x40:
      case SOS - 0x40:
      case OSC - 0x40:
      case PM - 0x40:
      case APC - 0x40:
        this.#report.sequences -= 1;
        this.#openString(codePoint + 0x40);
        return;
      case ST - 0x40:
        if (this.#closesString) this.#report.sequences -= 1;
        return;
      case 0x37: // DECSC
        this.#events.saveRendition();
        return;
      case 0x38: // DECRC
        this.#events.restoreRendition();
        return;
      case 0x63: // RIS
        this.#events.resetRendition();
    }
  }

  #csi(codePoint: number): void {
    if (codePoint >= 0x40) {
      this.#state = "ground";
      this.#dispatchCsi(codePoint);
    } else if (codePoint < 0x30) {
      this.#intermediate = codePoint;
    } else {
      // A private marker, or a parameter after an intermediate: not a sequence that is followed here.
      if (codePoint >= 0x3c || this.#intermediate !== 0) this.#isPrivate = true;
      // Writing beyond a typed array does nothing.
      this.#parameters[this.#parameterCount] = codePoint;
      this.#parameterCount += 1;
    }
  }

  #dispatchCsi(final: number): void {
    if (this.#isPrivate) return;
    if (this.#intermediate === 0) {
      if (final === 0x6d) {
        this.#events.selectRendition(this.#keptParameters());
      } else if (final === 0x73) {
        this.#events.saveRendition();
      } else if (final === 0x75) {
        this.#events.restoreRendition();
      }
    } else if (this.#intermediate === EXCLAMATION && final === 0x70) {
      this.#events.resetRendition();
    }
  }

  /** Of too many parameters, those that were kept whole. */
  #keptParameters(): Uint8Array {
    const isWhole = this.#parameterCount <= MAX_PARAMETER_BYTES;
    return this.#parameters.subarray(
      0,
      isWhole ? this.#parameterCount : Math.max(0, this.#parameters.lastIndexOf(SEMICOLON)),
    );
  }

  #openCsi(): void {
    this.#state = "csi";
    this.#parameterCount = 0;
    this.#isPrivate = false;
    this.#intermediate = 0;
  }

  #openString(introducer: number): void {
    this.#state = "string";
    this.#stringBytes = 0;
    this.#isOsc = introducer === OSC;
    this.#report.strings += 1;
  }
}
