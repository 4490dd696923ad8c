/**
 * What a code point may do in text, as one small number: a category in the low four bits and flags above.
 * The answer comes from the runtime's Unicode tables once per code point and is remembered.
 */
export type Kind = number;

export const CATEGORY = 0x0f;
export const PLAIN = 0;
export const INVISIBLE = 1;
export const BIDI = 2;
export const TAG = 3;
export const FILLER = 4;
export const C1 = 5;
// From here on the neighbours decide whether the code point may stay.
export const CONTEXTUAL = 6;
export const JOINER = 6;
export const NON_JOINER = 7;
export const GLYPH_SELECTOR = 8;
export const EMOJI_SELECTOR = 9;
export const MONGOLIAN_SELECTOR = 10;

/** A combining mark. */
export const MARK = 0x10;
/** A letter or mark of a script in which joiners change the shape of letters. */
export const JOINING_SCRIPT = 0x20;
/** An emoji base, or a skin tone on one. */
export const EMOJI = 0x40;
const KNOWN = 0x80;

// Planes 0 and 1; beyond lie ideographs, tags, selectors and private use, which ranges describe.
const remembered = new Uint8Array(0x2_0000);

export function kindOf(codePoint: number): Kind {
  if (codePoint >= remembered.length) return kindBeyond(codePoint);
  const kind = remembered[codePoint] ?? 0;
  if (kind !== 0) return kind;
  return (remembered[codePoint] = classify(codePoint) | KNOWN);
}

const bidi = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const fillers = /[\u115F\u1160\u3164\uFFA0]|[\u17B4-\u17B5]/u;
const invisible = /\p{Default_Ignorable_Code_Point}|[\u2028\u2029\uFFF9-\uFFFB]/u;
const mark = /\p{M}/u;
const emoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const joiningScript = new RegExp(
  [
    "[\\p{L}\\p{M}]",
    `(?<=[${["Arabic", "Syriac", "Mandaic", "Nko", "Mongolian", "Devanagari", "Bengali"]
      .concat(["Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam"])
      .concat(["Sinhala", "Khmer", "Myanmar", "Tibetan", "Balinese", "Javanese", "Brahmi"])
      .map((script) => `\\p{Script=${script}}`)
      .join("")}])`,
  ].join(""),
  "u",
);

function classify(codePoint: number): Kind {
  if (isNoncharacter(codePoint)) return INVISIBLE;
  if (codePoint >= 0x80 && codePoint < 0xa0) return C1;
  if (codePoint === 0x200d) return JOINER;
  if (codePoint === 0x200c) return NON_JOINER;
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0d) return GLYPH_SELECTOR;
  if (codePoint === 0xfe0e || codePoint === 0xfe0f) return EMOJI_SELECTOR;
  if (codePoint >= 0x180b && codePoint <= 0x180f) return MONGOLIAN_SELECTOR;
  const text = String.fromCodePoint(codePoint);
  if (bidi.test(text)) return BIDI;
  if (fillers.test(text)) return FILLER;
  if (invisible.test(text)) return INVISIBLE;
  return (
    (mark.test(text) ? MARK : 0) |
    (joiningScript.test(text) ? JOINING_SCRIPT : 0) |
    (codePoint >= 0xa0 && emoji.test(text) ? EMOJI : 0)
  );
}

function kindBeyond(codePoint: number): Kind {
  if (codePoint >= 0xe_0000 && codePoint <= 0xe_0fff)
    return codePoint <= 0xe_007f ? TAG : INVISIBLE;
  return isNoncharacter(codePoint) ? INVISIBLE : PLAIN;
}

function isNoncharacter(codePoint: number): boolean {
  return (codePoint & 0xfffe) === 0xfffe || (codePoint >= 0xfdd0 && codePoint <= 0xfdef);
}
