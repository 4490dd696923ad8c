import type { PaneFacts } from "../../src/domain/pane-facts.ts";
import type { Snapshot } from "../../src/domain/snapshot.ts";

export interface Shown {
  readonly height?: number;
  readonly width?: number;
  readonly historyLimit?: number;
  /** The unfinished line at the cursor. */
  readonly partial?: string;
}

/** A snapshot of a pane that shows these finished one-row lines, cursor below. */
export function captured(lines: readonly string[], shown: Shown = {}): Snapshot {
  const { height = 10, width = 80, historyLimit = 2_000, partial = "" } = shown;
  const texts = [...lines, partial];
  while (texts.length < height) texts.push("");
  const historySize = texts.length - height;
  const facts = { ...silentFacts, width, height, historySize, historyLimit };
  return {
    list: [],
    facts: { ...facts, cursorY: lines.length - historySize, cursorX: partial.length },
    rows: texts,
    firstRow: 0,
    complete: true,
    lines: texts.map((text, row) => ({ text, styled: text, prefix: "", row, rowCount: 1 })),
  };
}

const silentFacts: PaneFacts = {
  sessionId: "$0",
  windowId: "@0",
  paneId: "%0",
  panePid: 1,
  width: 80,
  height: 10,
  cursorX: 0,
  cursorY: 0,
  historySize: 0,
  historyLimit: 2_000,
  alternateScreen: false,
  active: true,
  dead: false,
  exitStatus: undefined,
  inMode: false,
  inputOff: false,
  synchronized: false,
  permission: "write",
  tty: "/dev/null",
  currentCommand: "sh",
  cwd: "/",
};
