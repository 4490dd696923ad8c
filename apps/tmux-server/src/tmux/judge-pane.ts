import { type CursorLine, cursorLine } from "../domain/cursor-line.ts";
import { judgePane, type PaneJudgement } from "../domain/pane-state.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import type { ReadTtyMode } from "./tty-mode.ts";

/** What a pane is doing, and the text around its cursor. */
export interface JudgedPane extends PaneJudgement {
  readonly line: CursorLine;
}

/** Judges the pane of a look; asks its terminal for its mode besides. */
export async function judgeLook(
  look: Snapshot,
  readTtyMode: ReadTtyMode,
  promptSuffixes: readonly string[],
): Promise<JudgedPane> {
  const { facts } = look;
  const line = cursorLine(look);
  const evidence = {
    dead: facts.dead,
    inMode: facts.inMode,
    alternateScreen: facts.alternateScreen,
    command: facts.currentCommand,
    tty: facts.dead ? "unknown" : await readTtyMode(facts.tty),
    leftOfCursor: line.left,
    rightOfCursor: line.right,
  } as const;
  return { ...judgePane(evidence, promptSuffixes), line };
}
