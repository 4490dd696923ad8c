import type { OutputOf } from "@postern/protocol";
import { bindTool, type ToolBinding } from "@postern/protocol/server";
import { executeAndWait } from "../contract/index.ts";
import { runOnce } from "../receipt-run.ts";
import { runInPane } from "../run-pane.ts";
import { typedText } from "../typed-argument.ts";
import type { WriteApp } from "../write-app.ts";

const maxCommandBytes = 32_768;

/** Runs a command in the shell of a pane and waits for its end. */
export function executeAndWaitTool(app: WriteApp): ToolBinding {
  return bindTool(executeAndWait, async (args, context) => {
    const limits = { maxBytes: maxCommandBytes, maxLines: maxCommandBytes };
    const command = typedText("command", args.command, limits);
    const { requestId, reportProgress } = context;
    const answer = await runOnce(app, "execute_and_wait", context, (steps) =>
      runInPane(app, { ...args, command }, { requestId, steps, reportProgress }),
    );
    return answer as OutputOf<typeof executeAndWait>;
  });
}
