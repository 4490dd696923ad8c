import {
  CATEGORY,
  EMOJI,
  EMOJI_SELECTOR,
  GLYPH_SELECTOR,
  JOINER,
  JOINING_SCRIPT,
  MARK,
  MONGOLIAN_SELECTOR,
  NON_JOINER,
  PLAIN,
  type Kind,
} from "./code-points.ts";

const KEYCAP = 0x20e3;

/** The last code point of the output, which decides whether a joiner or variation selector makes sense after it. */
export class Neighbour {
  #codePoint = 0x0a;
  #kind: Kind = PLAIN;
  #inEmoji = false;

  set(codePoint: number, kind: Kind): void {
    // An emoji selector or joiner that was let through leaves an emoji sequence open; a glyph selector ends it.
    const category = kind & CATEGORY;
    if (category === PLAIN) this.#inEmoji = (kind & EMOJI) !== 0;
    else if (category === GLYPH_SELECTOR) this.#inEmoji = false;
    this.#codePoint = codePoint;
    this.#kind = kind;
  }

  /** Whether the last code point ties the next one to it. */
  get joins(): boolean {
    return (this.#kind & CATEGORY) === JOINER;
  }

  judge(codePoint: number, category: number): "fits" | "does_not_fit" | "depends_on_next" {
    const isBare = (this.#kind & CATEGORY) === PLAIN;
    switch (category) {
      case JOINER:
        if (this.#inEmoji) return "depends_on_next";
        return fits((this.#kind & JOINING_SCRIPT) !== 0);
      case NON_JOINER:
        return fits((this.#kind & JOINING_SCRIPT) !== 0);
      case EMOJI_SELECTOR:
        if (codePoint === 0xfe0f && isKeycapBase(this.#codePoint)) return "depends_on_next";
        return fits(isBare && this.#inEmoji);
      case GLYPH_SELECTOR:
        return fits(isBare && this.#codePoint >= 0xa0 && (this.#kind & MARK) === 0);
      case MONGOLIAN_SELECTOR:
        return fits(isBare && this.#codePoint >= 0x1820 && this.#codePoint <= 0x18aa);
      default:
        return "does_not_fit";
    }
  }

  /** Whether `next` makes sense of the code point that waited for it. */
  completes(waiting: number, next: number, nextKind: Kind): boolean {
    if (waiting === 0xfe0f) return next === KEYCAP;
    return (nextKind & EMOJI) !== 0;
  }
}

function fits(condition: boolean): "fits" | "does_not_fit" {
  return condition ? "fits" : "does_not_fit";
}

function isKeycapBase(codePoint: number): boolean {
  return (codePoint >= 0x30 && codePoint <= 0x39) || codePoint === 0x23 || codePoint === 0x2a;
}
