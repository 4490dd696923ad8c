import { randomUUID } from "node:crypto";
import {
  commonErrorCodes,
  ToolError,
  type AnyContract,
  type JsonObject,
  type ProtocolRevision,
} from "../index.ts";
import { invalidArguments } from "./invalid-arguments.ts";
import type { ServeContext } from "./serve-context.ts";
import type { RequestIdentity, ToolBinding, ToolContext } from "./tool-binding.ts";
import type { ToolSettings } from "./tool-settings.ts";

/** One call as its transport describes it. */
export interface IncomingCall {
  readonly context: ServeContext;
  readonly arguments: unknown;
  readonly signal: AbortSignal;
  readonly revision: ProtocolRevision;
  readonly reportProgress: ToolContext["reportProgress"];
  readonly meta?: ToolContext["meta"] | undefined;
}

/** What a call came to. */
export type ToolAnswer =
  | { readonly ok: true; readonly output: JsonObject; readonly text: string }
  | { readonly ok: false; readonly error: ToolError };

/** Runs one call of one tool, whatever dialect and transport it came by. Never throws. */
export async function callBoundTool(
  binding: ToolBinding,
  call: IncomingCall,
  settings: ToolSettings,
): Promise<ToolAnswer> {
  const { contract } = binding;
  if (!settings.enabledEffects.has(contract.effect)) {
    return refused(effectNotEnabled(contract, settings));
  }
  try {
    const sent = call.arguments ?? {};
    const parsed = await contract.input.safeParseAsync(sent);
    if (!parsed.success) return refused(invalidArguments(contract, parsed.error.issues));
    if (call.signal.aborted) return refused(cancelled);
    const context = {
      ...contextOf(call, sent as JsonObject),
      ...identify(contract, parsed.data, settings),
    };
    const output = await binding.handle(parsed.data, context);
    return await acceptOutput(contract, output, settings);
  } catch (error) {
    return refused(declaredError(contract, error, settings));
  }
}

const cancelled = new ToolError("cancelled", "The call was cancelled before it started.");

function refused(error: ToolError): ToolAnswer {
  return { ok: false, error };
}

function effectNotEnabled({ name, effect }: AnyContract, { howToEnable }: ToolSettings): ToolError {
  const what = `${name} has the effect "${effect}", which this server was not started with.`;
  const message = howToEnable === undefined ? what : `${what} ${howToEnable}`;
  return new ToolError("effect_not_enabled", message, { data: { effect } });
}

function contextOf(call: IncomingCall, sent: JsonObject): ToolContext {
  const { requestId: _requestId, ...sentArguments } = sent;
  return {
    ...call.context,
    signal: call.signal,
    revision: call.revision,
    sentArguments,
    reportProgress: call.reportProgress,
    meta: call.meta ?? {},
  };
}

function identify(
  contract: AnyContract,
  args: unknown,
  settings: ToolSettings,
): Partial<RequestIdentity> {
  if (contract.requestId === undefined) return {};
  const { requestId } = args as { readonly requestId?: string };
  return requestId === undefined
    ? { requestId: settings.newRequestId(), requestIdMinted: true }
    : { requestId, requestIdMinted: false };
}

async function acceptOutput(
  contract: AnyContract,
  output: unknown,
  settings: ToolSettings,
): Promise<ToolAnswer> {
  const checked = await contract.output.safeParseAsync(output);
  if (!checked.success) {
    const problems = checked.error.issues
      .slice(0, 20)
      .map(({ path, message }) => `${path.join(".")}: ${message}`);
    if (settings.strictOutput || typeof output !== "object" || output === null) {
      throw new Error(`The output of ${contract.name} breaks its schema: ${problems.join("; ")}`);
    }
    // The effect has happened; hiding its result behind an error would be the worse lie.
    settings.log("error", "output_breaks_schema", { tool: contract.name, problems });
  }
  // Written here, so that output JSON cannot carry fails where a failure still gets an answer.
  return { ok: true, output: output as JsonObject, text: JSON.stringify(output) };
}

/** Only declared codes leave the server; anything else is ours to explain, in the log. */
function declaredError(contract: AnyContract, error: unknown, settings: ToolSettings): ToolError {
  if (
    error instanceof ToolError &&
    (Object.hasOwn(commonErrorCodes, error.code) || Object.hasOwn(contract.errors, error.code))
  ) {
    return error;
  }
  const correlationId = randomUUID();
  settings.log("error", "internal_error", {
    tool: contract.name,
    correlationId,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return new ToolError(
    "internal_error",
    "The server failed in a way its contract does not describe. Its log has the details under the correlation id.",
    { data: { correlationId } },
  );
}
