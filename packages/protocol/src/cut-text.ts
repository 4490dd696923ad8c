/** Text cut to a byte budget, and how much is missing. */
export interface CutText {
  readonly text: string;
  readonly truncated: boolean;
  readonly omittedBytes: number;
}

/** Keeps the longest prefix of whole code points that fits `maxBytes` of UTF-8. */
export function cutText(text: string, maxBytes: number): CutText {
  const totalBytes = Buffer.byteLength(text);
  if (totalBytes <= maxBytes) return { text, truncated: false, omittedBytes: 0 };
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return { text: text.slice(0, read), truncated: true, omittedBytes: totalBytes - written };
}
