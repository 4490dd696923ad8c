import { DEFAULT_COLOUR, plainRendition, rgb, type Colour, type Rendition } from "./rendition.ts";

type MutableRendition = { -readonly [Key in keyof Rendition]: Rendition[Key] };

/** The rendition after the parameter bytes of one SGR sequence. */
export function applyParameters(before: Rendition, bytes: Uint8Array): Rendition {
  const count = readParameters(bytes);
  const next: MutableRendition = { ...before };
  let index = 0;
  while (index < count) {
    const code = valueAt(index);
    let end = index + 1;
    while (end < count && isNested[end] === 1) end += 1;
    if (code === 38 || code === 48 || code === 58) {
      if (end === index + 1) end += lengthWithSemicolons(valueAt(end, count));
      const colour = extendedColour(index + 1, Math.min(end, count));
      if (colour !== undefined && code === 38) next.foreground = colour;
      if (colour !== undefined && code === 48) next.background = colour;
    } else {
      applyCode(next, code, end > index + 1 && valueAt(index + 1) === 0);
    }
    index = end;
  }
  return next;
}

// The parameters of the sequence at hand: absent ones are 0, those after a colon are nested.
const values = new Uint16Array(257);
const isNested = new Uint8Array(257);

function readParameters(bytes: Uint8Array): number {
  let count = 1;
  let value = 0;
  for (const byte of bytes) {
    if (byte <= 0x39) {
      value = Math.min(value * 10 + byte - 0x30, 65_535);
    } else {
      values[count - 1] = value;
      value = 0;
      isNested[count] = byte === 0x3a ? 1 : 0;
      count += 1;
    }
  }
  values[count - 1] = value;
  return count;
}

function valueAt(index: number, count = values.length): number {
  return index < count ? (values[index] ?? 0) : 0;
}

function applyCode(next: MutableRendition, code: number, isOff: boolean): void {
  if (code === 0) Object.assign(next, plainRendition);
  else if (code === 1) next.bold = true;
  else if (code === 22) next.bold = false;
  else if (code === 4) next.underline = !isOff;
  else if (code === 21) next.underline = true;
  else if (code === 24) next.underline = false;
  else if (code === 8) next.conceal = true;
  else if (code === 28) next.conceal = false;
  else if (code >= 30 && code <= 37) next.foreground = code - 30;
  else if (code === 39) next.foreground = DEFAULT_COLOUR;
  else if (code >= 40 && code <= 47) next.background = code - 40;
  else if (code === 49) next.background = DEFAULT_COLOUR;
  else if (code >= 90 && code <= 97) next.foreground = code - 82;
  else if (code >= 100 && code <= 107) next.background = code - 92;
}

/** How many parameters follow 38, 48 or 58 in the form with semicolons: `5;n` or `2;r;g;b`. */
function lengthWithSemicolons(form: number): number {
  if (form === 5) return 2;
  return form === 2 ? 4 : 1;
}

/** `5:n`, `2:r:g:b` or `2:space:r:g:b`; nothing for another form or a number out of range. */
function extendedColour(from: number, end: number): Colour | undefined {
  const form = valueAt(from, end);
  const first = end - from > 4 ? from + 2 : from + 1;
  const red = valueAt(first, end);
  const green = valueAt(first + 1, end);
  const blue = valueAt(first + 2, end);
  if (form === 5) return valueAt(from + 1, end) <= 255 ? valueAt(from + 1, end) : undefined;
  if (form !== 2 || red > 255 || green > 255 || blue > 255) return undefined;
  return rgb(red, green, blue);
}
