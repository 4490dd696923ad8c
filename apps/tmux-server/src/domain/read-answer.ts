import type { OutputOf } from "@postern/protocol";
import type { readTmuxPane } from "../contract/index.ts";
import type { Reading } from "./read-pane.ts";

/** What a read's answer says besides the reading itself. */
export interface ReadFrame {
  readonly target: string;
  readonly paneId: string;
  readonly alternateScreen: boolean;
  readonly paneReplaced: boolean;
  readonly cursor: string;
  readonly timestamp: string;
}

/** Puts a reading into the words of the tool's answer. */
export function readAnswer(reading: Reading, frame: ReadFrame): OutputOf<typeof readTmuxPane> {
  const { newLines, partial, rewritten } = reading;
  const shown = [
    ...newLines,
    ...rewritten.map((line) => line.shown),
    ...(partial ? [partial] : []),
  ];
  return {
    target: frame.target,
    new_lines: newLines.map((line) => line.text),
    total_lines: reading.totalLines,
    timestamp: frame.timestamp,
    pane_id: frame.paneId,
    partial_line: partial?.text ?? null,
    first_line: reading.firstLine ?? null,
    lines_missed: reading.linesMissed ?? null,
    lines_remaining: reading.linesRemaining,
    lines_skipped: reading.linesSkipped,
    truncated:
      reading.linesRemaining > 0 ||
      reading.linesSkipped > 0 ||
      reading.rewrittenLeftOut ||
      shown.some((line) => line.cut),
    anchor: reading.anchor,
    rewritten: rewritten.map(({ line, shown: { text } }) => ({ line, text })),
    alternate_screen: frame.alternateScreen,
    pane_replaced: frame.paneReplaced,
    cursor: frame.cursor,
    hidden_chars: shown.reduce((sum, line) => sum + line.hiddenChars, 0),
    removed_chars: shown.reduce((sum, line) => sum + line.removedChars, 0),
  };
}
