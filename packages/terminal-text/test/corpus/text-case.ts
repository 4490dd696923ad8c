import type { SanitizeOptions, SanitizeReport } from "../../src/index.ts";

/** One input with the only right answer. A string stands for its UTF-8 bytes. */
export interface TextCase {
  readonly rule: string;
  readonly input: string | readonly number[];
  readonly options?: Partial<SanitizeOptions>;
  readonly output: string;
  readonly report?: Partial<SanitizeReport>;
}
