import { DEFAULT_COLOUR, plainRendition, rgb, type Colour, type Rendition } from "./rendition.ts";

/** A parameter and, after colons, its own parameters; an absent number is 0. */
type Parameter = readonly number[];

/** The rendition after the parameter bytes of one SGR sequence. */
export function applyParameters(before: Rendition, bytes: Uint8Array): Rendition {
  const parameters = readParameters(bytes);
  const next = { ...before };
  for (let index = 0; index < parameters.length; index += 1) {
    const parameter = parameters[index] ?? [0];
    const code = parameter[0] ?? 0;
    if (code === 38 || code === 48 || code === 58) {
      const { colour, used } = extendedColour(parameter, parameters, index);
      index += used;
      if (colour !== undefined && code === 38) next.foreground = colour;
      if (colour !== undefined && code === 48) next.background = colour;
    } else if (code === 0) {
      Object.assign(next, plainRendition);
    } else {
      applyCode(next, code, parameter[1]);
    }
  }
  return next;
}

type MutableRendition = { -readonly [Key in keyof Rendition]: Rendition[Key] };

function applyCode(next: MutableRendition, code: number, variant: number | undefined): void {
  if (code === 1) next.bold = true;
  else if (code === 22) next.bold = false;
  else if (code === 4) next.underline = variant !== 0;
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

interface ExtendedColour {
  readonly colour: Colour | undefined;
  /** How many following parameters belong to the colour. */
  readonly used: number;
}

/** `38:5:n`, `38:2:r:g:b`, `38:2:space:r:g:b`, and the older forms with semicolons. */
function extendedColour(
  parameter: Parameter,
  parameters: readonly Parameter[],
  index: number,
): ExtendedColour {
  const own = parameter.slice(1);
  if (own.length > 0) {
    const channels = own.length > 4 ? own.slice(2) : own.slice(1);
    return { colour: colourOf(own[0] ?? 0, channels), used: 0 };
  }
  const following = parameters.slice(index + 1, index + 5).map((each) => each[0] ?? 0);
  const form = following[0] ?? 0;
  const used = form === 5 ? 2 : form === 2 ? 4 : 1;
  return { colour: colourOf(form, following.slice(1)), used };
}

function colourOf(form: number, values: readonly number[]): Colour | undefined {
  const [first = 0, second = 0, third = 0] = values;
  if (first > 255 || second > 255 || third > 255) return undefined;
  if (form === 5) return first;
  return form === 2 ? rgb(first, second, third) : undefined;
}

function readParameters(bytes: Uint8Array): Parameter[] {
  let current = [0];
  const parameters = [current];
  for (const byte of bytes) {
    if (byte === 0x3b) {
      current = [0];
      parameters.push(current);
    } else if (byte === 0x3a) {
      current.push(0);
    } else {
      const last = current.length - 1;
      current[last] = Math.min((current[last] ?? 0) * 10 + byte - 0x30, 65_535);
    }
  }
  return parameters;
}
