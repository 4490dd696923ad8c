import { type OutputOf, ToolError } from "@postern/protocol";
import { bindTool, type ToolBinding } from "@postern/protocol/server";
import { sendKeysTmux } from "../contract/index.ts";
import { cursorHere } from "../domain/cursor-here.ts";
import {
  isKeyName,
  keyNames,
  type KeyName,
  passwordKeys,
  restrictedKeys,
} from "../domain/key-names.ts";
import { targetName } from "../domain/target.ts";
import { passwordRefusal } from "../domain/write-refusal.ts";
import { deliver, openPane, refusedWith } from "../pane-input.ts";
import { runOnce } from "../receipt-run.ts";
import type { WriteApp } from "../write-app.ts";
import { writeNote } from "../write-note.ts";

/** Presses a key in a pane. */
export function sendKeysTmuxTool(app: WriteApp): ToolBinding {
  return bindTool(sendKeysTmux, async (args, context) => {
    const key = knownKey(args.key);
    const answer = await runOnce(app, "send_keys_tmux", context, async (steps) => {
      if (app.config.allowed_commands !== null && !restrictedKeys.has(key)) {
        // Whether the pane may be named at all comes first.
        await app.panes.resolve(args);
        throw new ToolError(
          "key_not_allowed",
          "With allowed_commands set only C-c, C-l and C-u are pressed.",
        );
      }
      const pane = await openPane(app, args);
      const refusal = passwordKeys.has(key) ? undefined : passwordRefusal(pane.judged.state);
      if (refusal !== undefined) throw refusedWith(refusal);
      await steps.arm({ note: writeNote(app, pane.look.row, key) });
      const pressed = await deliver(app, args, pane, {
        steps: [{ kind: "press", key, repeat: args.repeat }],
      });
      if (pressed.kind !== "applied") return pressed;
      const { look } = pane;
      const result = {
        target: targetName(look.row),
        key,
        timestamp: app.now().toISOString(),
        pane_id: look.row.paneId,
        requestId: context.requestId,
        repeat: args.repeat,
        left_copy_mode: look.facts.inMode,
        cursor: cursorHere(look),
      };
      return { kind: "applied", result };
    });
    return answer as OutputOf<typeof sendKeysTmux>;
  });
}

function knownKey(name: string): KeyName {
  if (isKeyName(name)) return name;
  throw new ToolError("invalid_arguments", "No such key; names are exact.", {
    data: { issues: [{ path: "/key", problem: `Allowed: ${keyNames.join(" ")}` }] },
  });
}
