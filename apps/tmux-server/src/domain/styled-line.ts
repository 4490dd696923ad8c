const sequence = /\u001b\[([\d;:]*)m|[\u000e\u000f]|\u001b\]8;[^\u001b]*\u001b\\/g;

/** The text of a captured line without colours, links and character set changes. */
export function plainText(styled: string): string {
  return isStyled(styled) ? styled.replace(sequence, "") : styled;
}

function isStyled(line: string): boolean {
  return line.includes("\u001b") || line.includes("\u000e") || line.includes("\u000f");
}

/**
 * The rendition that carries over from one captured line to the next, as the sequences that restore it.
 * tmux writes only differences: attributes pile up until a reset, colours replace each other.
 */
export class Rendition {
  #attributes = "";
  #foreground = "";
  #background = "";
  #charset = "";

  /** What must stand before the next line to make it look as it does. */
  get prefix(): string {
    return this.#attributes + this.#foreground + this.#background + this.#charset;
  }

  /** Takes a line's changes into account. */
  pass(styled: string): void {
    if (!isStyled(styled)) return;
    for (const [whole, parameters] of styled.matchAll(sequence)) {
      if (parameters === undefined) {
        if (whole === "\u000e") this.#charset = whole;
        if (whole === "\u000f") this.#charset = "";
      } else {
        this.#select(whole, parameters);
      }
    }
  }

  #select(whole: string, parameters: string): void {
    const first = parameters.split(/[;:]/, 1)[0] ?? "";
    if (first === "" || first === "0") {
      this.#attributes = parameters === "" || parameters === "0" ? "" : whole;
      this.#foreground = "";
      this.#background = "";
    } else if (/^(?:3\d|9\d)$/.test(first)) {
      this.#foreground = first === "39" ? "" : whole;
    } else if (/^(?:4\d|10\d)$/.test(first)) {
      this.#background = first === "49" ? "" : whole;
    } else if (this.#attributes.length < 256) {
      this.#attributes += whole;
    }
  }
}

const lineDrawing: Readonly<Record<string, string>> = {
  "`": "◆",
  a: "▒",
  f: "°",
  g: "±",
  h: "▒",
  i: "¤",
  j: "┘",
  k: "┐",
  l: "┌",
  m: "└",
  n: "┼",
  o: "⎺",
  p: "⎻",
  q: "─",
  r: "⎼",
  s: "⎽",
  t: "├",
  u: "┤",
  v: "┴",
  w: "┬",
  x: "│",
  y: "≤",
  z: "≥",
  "{": "π",
  "|": "≠",
  "}": "£",
  "~": "·",
};

/** Replaces the letters of the line drawing character set by what a terminal shows for them. */
export function withLineDrawing(styled: string): string {
  if (!styled.includes("\u000e")) return styled.replaceAll("\u000f", "");
  return styled
    .replace(/\u000e([^\u000f]*)(?:\u000f|$)/g, (_whole, drawn: string) =>
      drawn.replace(/\u001b\[[\d;:]*m|./gsu, (part) => lineDrawing[part] ?? part),
    )
    .replaceAll("\u000f", "");
}

/** The part of a styled line between two places of its plain text, with every sequence before it. */
export function sliceStyled(styled: string, from: number, to: number): string {
  let plain = 0;
  let slice = "";
  for (const part of styled.split(
    /(\u001b\[[\d;:]*m|[\u000e\u000f]|\u001b\]8;[^\u001b]*\u001b\\)/,
  )) {
    if (/^[\u001b\u000e\u000f]/.test(part)) {
      if (plain < to) slice += part;
    } else {
      slice += part.slice(Math.max(0, from - plain), Math.max(0, to - plain));
      plain += part.length;
    }
  }
  return slice;
}
