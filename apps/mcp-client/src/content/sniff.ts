/** What the bytes of a file are, by its first ones. */
export interface Sniffed {
  readonly type: string;
  readonly extension: string;
}

const OPAQUE: Sniffed = { type: "application/octet-stream", extension: "bin" };
// Markup may run scripts when it is opened, so it is only ever kept as text.
const MARKUP: Sniffed = { type: "text/plain", extension: "txt" };

const KNOWN: readonly (Sniffed & { readonly at: number; readonly magic: string })[] = [
  { type: "image/png", extension: "png", at: 0, magic: "\u0089PNG\r\n\u001a\n" },
  { type: "image/jpeg", extension: "jpg", at: 0, magic: "\u00ff\u00d8\u00ff" },
  { type: "image/gif", extension: "gif", at: 0, magic: "GIF87a" },
  { type: "image/gif", extension: "gif", at: 0, magic: "GIF89a" },
  { type: "image/avif", extension: "avif", at: 4, magic: "ftypavif" },
  { type: "image/avif", extension: "avif", at: 4, magic: "ftypavis" },
  { type: "audio/mpeg", extension: "mp3", at: 0, magic: "ID3" },
  { type: "audio/ogg", extension: "ogg", at: 0, magic: "OggS" },
  { type: "application/pdf", extension: "pdf", at: 0, magic: "%PDF-" },
];

const RIFF: Readonly<Record<string, Sniffed>> = {
  WEBP: { type: "image/webp", extension: "webp" },
  WAVE: { type: "audio/wav", extension: "wav" },
};

const ALIASES: Readonly<Record<string, string>> = {
  "image/jpg": "image/jpeg",
  "audio/mp3": "audio/mpeg",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/vnd.wave": "audio/wav",
  "application/ogg": "audio/ogg",
  "audio/opus": "audio/ogg",
  "video/ogg": "audio/ogg",
  "application/x-pdf": "application/pdf",
};

/** Tells the type by magic bytes. What the server declared only decides whether unknown bytes are kept as text. */
export function sniff(bytes: Uint8Array, declaredType: string | undefined): Sniffed {
  const head = Buffer.from(bytes.subarray(0, 256)).toString("latin1");
  const known = KNOWN.find(({ at, magic }) => head.startsWith(magic, at));
  if (known) return { type: known.type, extension: known.extension };
  if (head.startsWith("RIFF")) return RIFF[head.slice(8, 12)] ?? OPAQUE;
  if (isMpegFrame(bytes)) return { type: "audio/mpeg", extension: "mp3" };
  const looksLikeMarkup = /^(?:\u00ef\u00bb\u00bf)?\s*<[!?a-z]/i.test(head);
  return looksLikeMarkup || isMarkup(declaredType) ? MARKUP : OPAQUE;
}

/** Whether the declared type says something else than the bytes. Types this program cannot tell are not judged. */
export function isMismatch(declaredType: string | undefined, sniffed: Sniffed): boolean {
  if (declaredType === undefined) return false;
  const declared = baseType(declaredType);
  const known = ALIASES[declared] ?? declared;
  if (sniffed === MARKUP) return !isMarkup(declared) && !/^text\/|[/+](?:xml|json)$/.test(declared);
  if (sniffed !== OPAQUE) return known !== sniffed.type;
  return [...KNOWN, ...Object.values(RIFF)].some(({ type }) => type === known);
}

function isMarkup(type: string | undefined): boolean {
  return (
    type !== undefined &&
    /^(?:image\/svg\+xml|text\/html|application\/xhtml\+xml)$/.test(baseType(type))
  );
}

function baseType(type: string): string {
  return (type.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** An MPEG audio frame header: eleven sync bits, a version, layer 3, and a bit rate that exists. */
function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  return first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08 && third >> 4 < 15;
}
