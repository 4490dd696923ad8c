/** `DEFAULT_COLOUR`, a palette index 0..255, or `RGB` plus 24 bits. */
export type Colour = number;

export const DEFAULT_COLOUR = -1;
const RGB = 0x100_0000;

/** What of "select graphic rendition" matters here: what can hide text, and what may be shown in colour. */
export interface Rendition {
  readonly foreground: Colour;
  readonly background: Colour;
  readonly bold: boolean;
  readonly underline: boolean;
  readonly conceal: boolean;
}

export const plainRendition: Rendition = {
  foreground: DEFAULT_COLOUR,
  background: DEFAULT_COLOUR,
  bold: false,
  underline: false,
  conceal: false,
};

/** Whether text in this rendition cannot be seen on any terminal: concealed, or one colour on itself. */
export function hidesText(rendition: Rendition): boolean {
  if (rendition.conceal) return true;
  if (rendition.foreground === DEFAULT_COLOUR) return false;
  return onScreen(rendition.foreground) === onScreen(rendition.background);
}

const steps = [0, 95, 135, 175, 215, 255];

/** The fixed part of the palette as RGB; the first sixteen colours differ from terminal to terminal. */
function onScreen(colour: Colour): Colour {
  if (colour < 16 || colour >= RGB) return colour;
  if (colour >= 232) return rgb(...grey(8 + (colour - 232) * 10));
  const cube = colour - 16;
  const channel = (divisor: number): number => steps[Math.floor(cube / divisor) % 6] ?? 0;
  return rgb(channel(36), channel(6), channel(1));
}

function grey(level: number): [number, number, number] {
  return [level, level, level];
}

export function rgb(red: number, green: number, blue: number): Colour {
  return RGB + (red << 16) + (green << 8) + blue;
}

/** The shortest sequence that turns one rendition into another; concealment is never sent. */
export function renditionChange(from: Rendition, to: Rendition): string {
  const codes: string[] = [];
  if (from.bold !== to.bold) codes.push(to.bold ? "1" : "22");
  if (from.underline !== to.underline) codes.push(to.underline ? "4" : "24");
  if (from.foreground !== to.foreground) codes.push(colourCode(to.foreground, 30));
  if (from.background !== to.background) codes.push(colourCode(to.background, 40));
  if (codes.length === 0) return "";
  return isPlain(to) ? "\u001b[0m" : `\u001b[${codes.join(";")}m`;
}

function isPlain(rendition: Rendition): boolean {
  return (
    rendition.foreground === DEFAULT_COLOUR &&
    rendition.background === DEFAULT_COLOUR &&
    !rendition.bold &&
    !rendition.underline
  );
}

function colourCode(colour: Colour, base: 30 | 40): string {
  if (colour === DEFAULT_COLOUR) return String(base + 9);
  if (colour < 8) return String(base + colour);
  if (colour < 16) return String(base + 52 + colour);
  if (colour < RGB) return `${String(base + 8)};5;${String(colour)}`;
  const channels = [colour >> 16, colour >> 8, colour].map((bits) => String(bits & 0xff));
  return `${String(base + 8)};2;${channels.join(";")}`;
}
