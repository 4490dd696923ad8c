import { type JsonObject, ToolError } from "@postern/protocol";
import type { RequestIdentity, ToolContext } from "@postern/protocol/server";
import { answerToToolResult, type EffectResult, type EffectSteps } from "@postern/receipts";
import { receiptInstance } from "./receipt-book.ts";
import type { WriteApp } from "./write-app.ts";

/** The call a write tool got: who asked, under which id, with which arguments. */
export type WriteContext = ToolContext & RequestIdentity;

/** Where a host puts the token, so that no model has to see it. */
const tokenMetaKey = "postern/auth_token";

/**
 * Checks the token, then runs `effect` at most once under the call's requestId and answers what became of it.
 * A refusal thrown before `arm` is recorded as one; whatever fails afterwards leaves the outcome unknown.
 */
export async function runOnce(
  app: WriteApp,
  tool: string,
  context: WriteContext,
  effect: (steps: EffectSteps) => Promise<EffectResult>,
): Promise<JsonObject> {
  const { auth_token: token, ...sent } = context.sentArguments;
  const carried = token ?? context.meta[tokenMetaKey];
  await app.token(typeof carried === "string" ? carried : undefined);
  const receipts = await app.receipts();
  const { requestId, principal, signal } = context;
  const answer = await receipts.runOnce(
    {
      scope: { principal: principal.subject, instance: receiptInstance, tool },
      requestId,
      // The same words to another tmux server are another request.
      args: { ...sent, socket: app.tmux.socket },
      signal,
    },
    async (steps) => {
      let isArmed = false;
      const arm: EffectSteps["arm"] = async (options) => {
        await steps.arm(options);
        isArmed = true;
      };
      try {
        return await effect({ ...steps, arm });
      } catch (error) {
        if (error instanceof ToolError && !isArmed) {
          const { code, message, data } = error;
          return { kind: "refused", code, message, data };
        }
        app.log("error", "write_failed", { tool, requestId, reason: String(error) });
        throw error;
      }
    },
  );
  return answerToToolResult(answer) as JsonObject;
}
