import { parseExactNumbers } from "../protocol/exact-json.ts";

export type ReadJson = { ok: true; value: unknown } | { ok: false; why: string };

const MAX_BYTES = 16 * 1024 * 1024;
/**
 * Reads JSON that a person wrote: strictly, no key twice, and with every number kept digit for digit. The strict
 * reader refuses integers beyond a double, so it judges a copy in which those are masked at their own length.
 */
export async function readExactJson(text: string): Promise<ReadJson> {
  const { readStrictJson } = await import("@postern/protocol/json");
  const strict = readStrictJson(Buffer.from(maskLongIntegers(text)), { maxBytes: MAX_BYTES });
  if (!strict.ok) {
    const { code, line, column } = strict;
    return { ok: false, why: `${code} at line ${String(line)}, column ${String(column)}` };
  }
  try {
    return { ok: true, value: parseExactNumbers(text) };
  } catch (error) {
    return { ok: false, why: String(error) };
  }
}

const LONG_INTEGER = /-?[0-9]{16,}(?![0-9.eE])/g;

function maskLongIntegers(text: string): string {
  if (!/[0-9]{16}/.test(text)) return text;
  let masked = "";
  for (let at = 0; at < text.length;) {
    const opening = text.indexOf('"', at);
    const outside = text.slice(at, opening === -1 ? text.length : opening);
    masked += outside.replace(LONG_INTEGER, (digits) => "1".padEnd(digits.length));
    if (opening === -1) break;
    at = endOfString(text, opening);
    masked += text.slice(opening, at);
  }
  return masked;
}

function endOfString(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
