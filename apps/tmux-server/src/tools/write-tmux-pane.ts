import { createHash } from "node:crypto";
import { cutText, type InputOf, type OutputOf, ToolError } from "@postern/protocol";
import { bindTool, type ToolBinding } from "@postern/protocol/server";
import { writeTmuxPane } from "../contract/index.ts";
import { isAllowedText } from "../domain/command-allowlist.ts";
import { cursorHere } from "../domain/cursor-here.ts";
import { targetName } from "../domain/target.ts";
import {
  hasLineOver,
  maxCookedLineBytes,
  maxTextBytes,
  maxTextLines,
} from "../domain/typed-text.ts";
import { textSteps } from "../domain/text-steps.ts";
import { passwordRefusal } from "../domain/write-refusal.ts";
import {
  cursorPlace,
  deliver,
  openPane,
  type OpenPane,
  promptAtOnce,
  quietPrompt,
  refusedWith,
} from "../pane-input.ts";
import { runOnce } from "../receipt-run.ts";
import { typedText } from "../typed-argument.ts";
import type { WriteApp } from "../write-app.ts";
import { writeNote } from "../write-note.ts";

const maxEchoBytes = 4_096;

/** Types text into a pane. */
export function writeTmuxPaneTool(app: WriteApp): ToolBinding {
  return bindTool(writeTmuxPane, async (args, context) => {
    const maxLines = args.paste ? maxTextBytes : maxTextLines;
    const text = typedText("text", args.text, { maxBytes: maxTextBytes, maxLines });
    const needsPrompt = args.wait_for_prompt || app.config.allowed_commands !== null;
    const answer = await runOnce(app, "write_tmux_pane", context, async (steps) => {
      const deadline = performance.now() + args.timeout * 1_000;
      await refuseOutsideAllowlist(app, args, text);
      const pane = args.wait_for_prompt
        ? await quietPrompt(app, args, { deadline, signal: steps.signal })
        : await (needsPrompt ? promptAtOnce : openPane)(app, args);
      refuseWhatWouldBeLost(app, pane, text);
      await steps.arm({ note: writeNote(app, pane.look.row, text) });
      const written = await deliver(app, args, pane, {
        steps: textSteps(text, args.paste),
        unmovedSince: needsPrompt ? cursorPlace(pane) : undefined,
      });
      if (written.kind !== "applied") return written;
      const { look } = pane;
      const echo = cutText(text, maxEchoBytes);
      const result = {
        target: targetName(look.row),
        sent: echo.text,
        timestamp: app.now().toISOString(),
        pane_id: look.row.paneId,
        requestId: context.requestId,
        sent_bytes: Buffer.byteLength(text),
        sent_sha256: createHash("sha256").update(text).digest("hex"),
        sent_truncated: echo.truncated,
        left_copy_mode: look.facts.inMode,
        cursor: cursorHere(look),
      };
      return { kind: "applied", result };
    });
    return answer as OutputOf<typeof writeTmuxPane>;
  });
}

async function refuseOutsideAllowlist(
  app: WriteApp,
  args: InputOf<typeof writeTmuxPane>,
  text: string,
): Promise<void> {
  const { allowed_commands: allowlist } = app.config;
  if (allowlist === null || (isAllowedText(text, allowlist) && !args.paste)) return;
  // Whether the pane may be named at all comes first.
  await app.panes.resolve(args);
  throw new ToolError(
    "command_not_allowed",
    "With allowed_commands set, text must be whole entries, each ended by a newline, and not pasted.",
  );
}

function refuseWhatWouldBeLost(app: WriteApp, { judged }: OpenPane, text: string): void {
  const refusal = passwordRefusal(judged.state);
  if (refusal !== undefined) throw refusedWith(refusal);
  const limit = maxCookedLineBytes(app.platform);
  if (judged.tty === "line" && hasLineOver(text, limit)) {
    throw new ToolError(
      "text_too_long",
      `The pane's terminal is in line mode and takes at most ${String(limit)} bytes per line; nothing was sent.`,
    );
  }
}
