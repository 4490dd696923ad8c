import {
  rpcErrorCodes,
  type RpcError,
  type RpcRequest,
  type RpcResult,
  type ToolError,
} from "../../index.ts";
import type { ServeContext } from "../serve-context.ts";
import type { ToolBinding } from "../tool-binding.ts";
import { callBoundTool } from "../tool-call.ts";
import type { ToolSettings } from "../tool-settings.ts";
import { refusalReply } from "./refusal.ts";

/** Runs tools that were called by their bare names: one at a time, in the order they came. */
export class BareLane {
  readonly #context: ServeContext;
  readonly #settings: ToolSettings;
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: ServeContext, settings: ToolSettings) {
    this.#context = context;
    this.#settings = settings;
  }

  /** Resolves with the answer once every earlier call and this one have ended. */
  async call(
    binding: ToolBinding,
    message: RpcRequest,
    signal: AbortSignal,
  ): Promise<RpcResult | RpcError> {
    const answer = this.#last.then(async () =>
      callBoundTool(
        binding,
        {
          context: this.#context,
          arguments: message.params,
          signal,
          revision: "2025-11-25",
          reportProgress: () => undefined,
        },
        this.#settings,
      ),
    );
    this.#last = answer;
    const result = await answer;
    return result.ok
      ? { jsonrpc: "2.0", id: message.id, result: result.output }
      : bareError(message, result.error);
  }
}

/** The dialect's answer to params that are no object, where MCP's is -32600. */
export function bareParamsReply(reply: RpcError): RpcError {
  return {
    ...reply,
    error: {
      code: rpcErrorCodes.invalidParams,
      message: "params must be an object.",
      data: { code: "invalid_arguments", issues: [{ path: "", problem: "must be an object" }] },
    },
  };
}

function bareError(message: RpcRequest, error: ToolError): RpcError {
  return refusalReply(message.id, {
    code: numberOf(error.code),
    message: error.message,
    data: { ...error.data, code: error.code },
  });
}

function numberOf(code: string): number {
  if (code === "invalid_arguments") return rpcErrorCodes.invalidParams;
  if (code === "internal_error") return rpcErrorCodes.internalError;
  return rpcErrorCodes.serverError;
}
