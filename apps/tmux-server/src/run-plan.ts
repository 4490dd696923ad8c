import { createHash } from "node:crypto";
import { ToolError } from "@postern/protocol";
import type { RunMark } from "./domain/run-outcome.ts";
import { markerLine, shellDialect } from "./domain/shell-line.ts";
import { textSteps, type WriteStep } from "./domain/text-steps.ts";
import { hasLineOver, maxCookedLineBytes } from "./domain/typed-text.ts";
import type { OpenPane } from "./pane-input.ts";

/** How a command is typed, and how its end will be known. */
export interface RunPlan {
  readonly steps: readonly WriteStep[];
  readonly mark: RunMark;
}

export interface RunWish {
  readonly command: string;
  readonly method: "auto" | "prompt";
  readonly shell?: "posix" | "zsh" | "fish" | undefined;
}

/** Plans a run in a pane that waits at a prompt. @throws ToolError when the line would be cut on its way */
export function planRun(
  wish: RunWish,
  { look, judged }: OpenPane,
  { marker, platform }: { readonly marker: string; readonly platform: NodeJS.Platform },
): RunPlan {
  const program = look.facts.currentCommand;
  // What runs in the pane itself is known; the hint is about what cannot be seen from here.
  const dialect = shellDialect(program) ?? wish.shell;
  const limit = maxCookedLineBytes(platform);
  // A remote POSIX shell may be one without line editor.
  const mayCut = judged.tty === "line" || (judged.state !== "prompt" && dialect === "posix");
  if (wish.method === "prompt") {
    refuseCutLines(mayCut, wish.command, limit);
    const typed = wish.command.split("\n");
    return { steps: textSteps(`${wish.command}\n`, false), mark: { method: "prompt", typed } };
  }
  if (dialect === undefined) {
    throw new ToolError(
      "not_a_shell",
      `${program} is no shell this server knows. shell names the one inside it; method prompt types the command as it is.`,
    );
  }
  const line = markerLine(dialect, wish.command, marker);
  refuseCutLines(mayCut, line.text, limit);
  const mark = { method: "marker", marker, typedEnd: line.end } as const;
  return { steps: textSteps(`${line.text}\n`, false), mark };
}

function refuseCutLines(mayCut: boolean, text: string, limit: number): void {
  if (!mayCut || !hasLineOver(text, limit)) return;
  throw new ToolError(
    "text_too_long",
    `A shell without line editor takes at most ${String(limit)} bytes per line; nothing was sent.`,
  );
}

/** A run is found again by its requestId, also by a server that starts later. */
export function markerOf(requestId: string): string {
  return createHash("sha256").update(`postern run ${requestId}`).digest("hex").slice(0, 16);
}
