import { cutText } from "@postern/protocol";
import { removedChars, sanitize } from "@postern/terminal-text";
import type { CapturedLine } from "./snapshot.ts";
import { withLineDrawing } from "./styled-line.ts";

/** A line as an agent gets it. */
export interface ShownLine {
  readonly text: string;
  readonly bytes: number;
  /** Part of the line is left out. */
  readonly cut: boolean;
  /** Characters that are on the screen but invisible there. */
  readonly hiddenChars: number;
  /** Control, direction and invisible characters taken out or marked. */
  readonly removedChars: number;
}

type Styled = Pick<CapturedLine, "styled" | "prefix">;

/** Cleans a captured line; one longer than `maxBytes` is cut and says how long it was. */
export function showLine({ styled, prefix }: Styled, maxBytes: number): ShownLine {
  const cleaned = isPlain(styled, prefix) ? asIs(styled) : clean(withLineDrawing(prefix + styled));
  const bytes = Buffer.byteLength(cleaned.text);
  if (bytes <= maxBytes) return { ...cleaned, bytes, cut: false };
  const mark = `⟦line cut: ${String(bytes)} bytes⟧`;
  const { text } = cutText(cleaned.text, Math.max(0, maxBytes - Buffer.byteLength(mark)));
  return { ...cleaned, text: text + mark, bytes: Buffer.byteLength(text + mark), cut: true };
}

/** Most lines are printable ASCII without colours and pass as they are. */
function isPlain(styled: string, prefix: string): boolean {
  return prefix === "" && /^[\u0020-\u007e]*$/.test(styled);
}

function asIs(text: string): Omit<ShownLine, "bytes" | "cut"> {
  return { text, hiddenChars: 0, removedChars: 0 };
}

function clean(input: string): Omit<ShownLine, "bytes" | "cut"> {
  const { text, report } = sanitize(input, { mode: "model" });
  return { text, hiddenChars: report.hiddenChars, removedChars: removedChars(report) };
}
