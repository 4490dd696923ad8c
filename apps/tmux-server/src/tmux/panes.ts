import { ToolError } from "@postern/protocol";
import type { PaneAddress } from "../contract/index.ts";
import { deepestRows } from "../domain/history-depth.ts";
import { ListReader, MalformedListError } from "../domain/list-reader.ts";
import { paneFactsFormat } from "../domain/pane-facts.ts";
import { type PaneRow, paneRowFormat, readPaneRows } from "../domain/pane-list.ts";
import { parseSnapshot, type Snapshot } from "../domain/snapshot.ts";
import { isSamePane, resolveTarget, targetIds } from "../domain/target.ts";
import type { Tmux } from "./run-tmux.ts";
import { answerOf, type TmuxOutcome } from "./tmux-outcome.ts";

/** A pane found for an address, with what one look at it showed. */
export interface PaneLook extends Snapshot {
  readonly row: PaneRow;
}

export interface Panes {
  /** Every pane of every session, allowed or not. */
  list(): Promise<readonly PaneRow[]>;
  /** The row an address means for this caller. @throws ToolError */
  resolve(address: PaneAddress): Promise<PaneRow>;
  /** Looks at the pane an address means, with `depth` rows of history above its screen. @throws ToolError */
  look(address: PaneAddress, depth: LookDepth): Promise<PaneLook>;
}

/** Rows of history to capture; `tail` is two screens and 512 rows, screen included. */
export type LookDepth = number | "tail";

const tailRows = 512;
const remembered = 256;
const listCommand = ["list-panes", "-a", "-F", paneRowFormat] as const;

/** Finds panes by name and looks at them by id. */
export function createPanes(tmux: Tmux, allowedSessions: readonly string[]): Panes {
  /** Where addresses led last, so that the list and the look can share one invocation. */
  const lastRows = new Map<string, PaneRow>();

  async function list(): Promise<readonly PaneRow[]> {
    return parsed(await tmux.run(listCommand), (stdout) => readPaneRows(new ListReader(stdout)));
  }

  function found(list: readonly PaneRow[], address: PaneAddress): PaneRow {
    const resolution = resolveTarget(list, address, allowedSessions);
    if (resolution.kind === "found") return resolution.row;
    const { code, message, data } = resolution;
    throw new ToolError(code, message, { data });
  }

  async function resolve(address: PaneAddress): Promise<PaneRow> {
    return found(await list(), address);
  }

  /** Looks at `row`; the result is that pane's only if the list of the same moment still leads to it. */
  async function lookAt(
    row: PaneRow,
    address: PaneAddress,
    depth: LookDepth,
  ): Promise<PaneLook | undefined> {
    const rows = depth === "tail" ? row.height + tailRows : Math.min(depth, deepestRows);
    const outcome = await tmux.run(lookCommands(targetIds(row), rows), { large: true });
    // A target that is gone ends the commands early; where it went, the next list tells.
    if (outcome.kind === "refused" && outcome.message.startsWith("can't find ")) return undefined;
    const snapshot = parsed(outcome, (stdout) => parseSnapshot(stdout, rows));
    const now = found(snapshot.list, address);
    return isSamePane(snapshot.facts, now) ? { ...snapshot, row: now } : undefined;
  }

  return {
    list,
    resolve,
    async look(address, depth) {
      const key = JSON.stringify([address.session, address.window, address.pane, address.pane_id]);
      const warm = lastRows.get(key);
      lastRows.delete(key);
      const look =
        (warm && (await lookAt(warm, address, depth))) ??
        (await lookAt(await resolve(address), address, depth));
      if (look === undefined) {
        throw new ToolError("pane_not_found", "The pane was closed or replaced during the call.");
      }
      lastRows.set(key, look.row);
      for (const oldest of lastRows.keys()) {
        if (lastRows.size <= remembered) break;
        lastRows.delete(oldest);
      }
      return look;
    },
  };
}

/** One invocation, which tmux runs as a unit: the list, the pane's facts, its rows and its logical lines. */
function lookCommands(target: string, depth: number): string[] {
  const start = `-${String(depth)}`;
  const facts = ["display-message", "-p", "-t", target, paneFactsFormat];
  const rows = ["capture-pane", "-p", "-N", "-S", start, "-t", target];
  const lines = ["capture-pane", "-p", "-J", "-e", "-S", start, "-t", target];
  return [...listCommand, ";", ...facts, ";", ...rows, ";", ...lines];
}

function parsed<T>(outcome: TmuxOutcome, parse: (stdout: Buffer) => T): T {
  try {
    return parse(answerOf(outcome));
  } catch (error) {
    if (!(error instanceof MalformedListError)) throw error;
    throw new ToolError("tmux_failed", "tmux printed something other than what was asked for.", {
      cause: error,
    });
  }
}
