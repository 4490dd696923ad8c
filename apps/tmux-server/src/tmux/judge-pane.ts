import { type CursorLine, cursorLine } from "../domain/cursor-line.ts";
import { judgePane, type PaneJudgement, type TtyMode } from "../domain/pane-state.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import type { ReadTtyMode } from "./tty-mode.ts";

/** What a pane is doing, and the text around its cursor. */
export interface JudgedPane extends PaneJudgement {
  readonly line: CursorLine;
  readonly tty: TtyMode;
}

/** Judges the pane of a look; asks its terminal for its mode besides. */
export async function judgeLook(
  look: Snapshot,
  readTtyMode: ReadTtyMode,
  promptSuffixes: readonly string[],
): Promise<JudgedPane> {
  const { facts } = look;
  const line = cursorLine(look);
  const tty = facts.dead ? "unknown" : await readTtyMode(facts.tty);
  const evidence = {
    dead: facts.dead,
    inMode: facts.inMode,
    alternateScreen: facts.alternateScreen,
    command: facts.currentCommand,
    tty,
    leftOfCursor: line.left,
    rightOfCursor: line.right,
    columnsRight: facts.width - facts.cursorX,
  };
  return { ...judgePane(evidence, promptSuffixes), line, tty };
}
