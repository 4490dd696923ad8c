/** Most bytes of `text` in one call. */
export const maxTextBytes = 60_000;

/** Most lines of `text` in one call, unless it is pasted as one block. */
export const maxTextLines = 100;

/** A line longer than this may be cut by a terminal in line mode (4095 on Linux, 1024 on macOS). */
export function maxCookedLineBytes(platform: string): number {
  return platform === "darwin" ? 1_000 : 4_000;
}

/** What checking a text came to. */
export type TextCheck =
  | { readonly kind: "ok"; readonly text: string }
  | { readonly kind: "forbidden"; readonly problem: string }
  | { readonly kind: "too_long"; readonly problem: string };

export interface TextLimits {
  readonly maxBytes: number;
  readonly maxLines: number;
}

/** Checks that a text is only what a keyboard types, tabs and newlines; CRLF counts as one newline. */
export function checkText(raw: string, { maxBytes, maxLines }: TextLimits): TextCheck {
  const text = raw.replaceAll("\r\n", "\n");
  const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/u.exec(text)?.[0];
  if (forbidden !== undefined) {
    const codePoint = forbidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return { kind: "forbidden", problem: `U+${codePoint} is no text; send_keys_tmux presses keys` };
  }
  if (byteLength(text) > maxBytes) {
    return { kind: "too_long", problem: `more than ${String(maxBytes)} bytes` };
  }
  if (text.split("\n").length - (text.endsWith("\n") ? 1 : 0) > maxLines) {
    return {
      kind: "too_long",
      problem: `more than ${String(maxLines)} lines; paste: true sends one block`,
    };
  }
  return { kind: "ok", text };
}

/** Whether a terminal in line mode would cut one of the text's lines. */
export function hasLineOver(text: string, maxBytes: number): boolean {
  return text.split("\n").some((line) => byteLength(line) > maxBytes);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
