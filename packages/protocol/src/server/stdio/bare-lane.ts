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
import { refusalReply } from "../refusal.ts";

export interface BareLaneOptions {
  readonly context: ServeContext;
  readonly settings: ToolSettings;
  readonly argumentCodes: ReadonlySet<string>;
  /** Resolves when the peer has read enough for one more answer: a call starts no earlier. */
  readonly whenRoom: () => Promise<void>;
}

/** Runs tools that were called by their bare names: one at a time, in the order they came. */
export class BareLane {
  readonly #context: ServeContext;
  readonly #settings: ToolSettings;
  readonly #argumentCodes: ReadonlySet<string>;
  readonly #whenRoom: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ context, settings, argumentCodes, whenRoom }: BareLaneOptions) {
    this.#context = context;
    this.#settings = settings;
    this.#argumentCodes = argumentCodes;
    this.#whenRoom = whenRoom;
  }

  /** Resolves with the answer once every earlier call and this one have ended. */
  async call(
    binding: ToolBinding,
    message: RpcRequest,
    signal: AbortSignal,
  ): Promise<RpcResult | RpcError> {
    const answer = this.#last.then(async () => {
      await this.#whenRoom();
      return callBoundTool(
        binding,
        {
          context: this.#context,
          arguments: message.params,
          signal,
          revision: "2025-11-25",
          reportProgress: () => undefined,
        },
        this.#settings,
      );
    });
    this.#last = answer;
    const result = await answer;
    return result.ok
      ? { jsonrpc: "2.0", id: message.id, result: result.output }
      : this.#error(message, result.error);
  }

  #error({ id }: RpcRequest, { code, message, data }: ToolError): RpcError {
    return refusalReply(id, { code: this.#numberOf(code), message, data: { ...data, code } });
  }

  #numberOf(code: string): number {
    if (code === "invalid_arguments" || this.#argumentCodes.has(code)) {
      return rpcErrorCodes.invalidParams;
    }
    return code === "internal_error" ? rpcErrorCodes.internalError : rpcErrorCodes.serverError;
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
