import type { ServerContext } from "@modelcontextprotocol/server";
import type { Log } from "./log.ts";
import type { ToolContext } from "./tool-binding.ts";

/** Notices that may wait for a slow reader; later ones are dropped, since a newer one follows anyway. */
const maxWaiting = 16;

/** Sends progress for one call: only with a progress token, only growing, and nothing after `end`. */
export function createProgressReporter(
  request: ServerContext,
  signal: AbortSignal,
  log: Log,
): { report: ToolContext["reportProgress"]; end(): void } {
  const { _meta: meta, notify } = request.mcpReq;
  const progressToken = meta?.progressToken;
  let last = -Infinity;
  let waiting = 0;
  let ended = progressToken === undefined;
  return {
    report(done, total, message) {
      if (progressToken === undefined || ended || signal.aborted) return;
      if (!(done > last) || waiting >= maxWaiting) return;
      last = done;
      waiting += 1;
      notify({
        method: "notifications/progress",
        params: {
          progressToken,
          progress: done,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message }),
        },
      })
        .catch((error: unknown) => log("debug", "progress_not_sent", { error: String(error) }))
        .finally(() => {
          waiting -= 1;
        });
    },
    end() {
      ended = true;
    },
  };
}
