import { type InputOf, type OutputOf, ToolError } from "@postern/protocol";
import { bindTool, type ToolBinding } from "@postern/protocol/server";
import type { App } from "../app.ts";
import { readTmuxPane } from "../contract/index.ts";
import { decodeCursor, encodeCursor } from "../domain/cursor.ts";
import { deepestRows } from "../domain/history-depth.ts";
import type { ReadingPosition } from "../domain/position.ts";
import { readAnswer } from "../domain/read-answer.ts";
import { readPane } from "../domain/read-pane.ts";
import { targetName } from "../domain/target.ts";
import type { LookDepth, PaneLook } from "../tmux/panes.ts";

type Arguments = InputOf<typeof readTmuxPane>;

/** Reads what is new in a pane: for this caller, or since a cursor. */
export function readTmuxPaneTool(app: App): ToolBinding {
  return bindTool(readTmuxPane, async (args, { principal: { subject } }) => {
    if (args.cursor !== undefined) return readFrom(app, args, fromCursor(args.cursor));
    return app.readTurns.run(subject, () => readFrom(app, args, fromMemory(app, subject, args)));
  });
}

/** Where reading a pane starts, and what becomes of the position it ends at. */
interface Start {
  readonly position: ReadingPosition | undefined;
  /** Another pane than at the last read stands there, so reading starts anew. */
  readonly replaced: boolean;
  readonly keep?: (position: ReadingPosition) => void;
}

type FindStart = (look: PaneLook) => Start;

async function readFrom(
  app: App,
  args: Arguments,
  findStart: FindStart,
): Promise<OutputOf<typeof readTmuxPane>> {
  const { buffer_size: bufferSize } = app.config;
  const limits = { maxLines: args.max_lines ?? bufferSize, maxBytes: args.max_bytes, bufferSize };
  for (let depth: LookDepth = args.force_full_read ? deepestRows : "tail"; ;) {
    const look = await app.panes.look(args, depth);
    const { position, replaced, keep } = findStart(look);
    const full = args.force_full_read || replaced;
    const result = readPane(look, position, { ...limits, full });
    if (result.kind === "deeper") {
      depth = result.rows;
      continue;
    }
    keep?.(result.position);
    return readAnswer(result.reading, {
      target: targetName(look.row),
      paneId: look.row.paneId,
      alternateScreen: look.facts.alternateScreen,
      paneReplaced: replaced,
      cursor: encodeCursor(look.row, result.position),
      timestamp: app.now().toISOString(),
    });
  }
}

/** The caller's own position in the pane. */
function fromMemory({ positions }: App, subject: string, args: Arguments): FindStart {
  return ({ row }) => {
    const target = targetName(row);
    const place = args.pane_id ?? target;
    return {
      position: positions.get(subject, row),
      replaced: positions.isReplaced(subject, place, row),
      keep: (position) => positions.set(subject, row, { target, place }, position),
    };
  };
}

/** A position the caller brought, which leaves the remembered one alone. */
function fromCursor(cursor: string): FindStart {
  const decoded = decodeCursor(cursor);
  if (decoded === undefined) throw new ToolError("invalid_cursor", "The cursor cannot be read.");
  const { pane, position } = decoded;
  return ({ row }) => {
    if (row.paneId !== pane.paneId) {
      throw new ToolError("invalid_cursor", `The cursor is of another pane: ${pane.paneId}.`);
    }
    const replaced = row.panePid !== pane.panePid;
    return { position: replaced ? undefined : position, replaced };
  };
}
