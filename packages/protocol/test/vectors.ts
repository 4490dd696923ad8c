import { readFileSync } from "node:fs";

/** Published vectors give their input as text, or as hex where it is not UTF-8. */
export interface VectorInput {
  readonly name: string;
  readonly text?: string;
  readonly hex?: string;
}

export function loadVectors(file: string): readonly VectorInput[] {
  const url = new URL(`../vectors/${file}`, import.meta.url);
  return (JSON.parse(readFileSync(url, "utf8")) as { vectors: VectorInput[] }).vectors;
}

export function bytesOf({ text, hex }: VectorInput): Uint8Array {
  return text === undefined ? Buffer.from(hex ?? "", "hex") : Buffer.from(text);
}
