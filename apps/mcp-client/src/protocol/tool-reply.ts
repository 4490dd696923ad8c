import { isMembers, type Members } from "./json-rpc.ts";
import type { ResultShape } from "./revision.ts";

/** One block of a result; `type` says which, unknown types are passed on. */
export type ContentBlock = { type: string } & Members;

/** One thing a server asks before it can finish. It is a question, never an instruction. */
export type InputRequest = { method: string; params?: Members } & Members;

/** What a tool call came to. `isError` is the tool's own verdict and a complete answer. */
export type ToolReply =
  | {
      kind: "complete";
      isError: boolean;
      content: ContentBlock[];
      structuredContent?: unknown;
      meta?: Members;
    }
  | { kind: "input_required"; inputRequests: Record<string, InputRequest>; pending: PendingCall };

/** A call the server has not finished. Opaque; give it to `continueCall`, once. */
export class PendingCall {
  readonly #call: { name: string; args: object; requestState?: string };
  #taken = false;

  constructor(call: { name: string; args: object; requestState?: string }) {
    this.#call = call;
  }

  /** The call, the first time; undefined ever after. */
  take(): { name: string; args: object; requestState?: string } | undefined {
    if (this.#taken) return undefined;
    this.#taken = true;
    return this.#call;
  }
}

export type ReadReply = { kind: "reply"; reply: ToolReply } | { kind: "malformed"; why: string };

/** Reads the result of `tools/call`. Only what a caller relies on is checked: a call that ran must not look lost. */
export function readToolReply(shape: ResultShape, call: { name: string; args: object }): ReadReply {
  switch (shape.kind) {
    case "malformed":
      return shape;
    case "input_required": {
      const { requestState } = shape;
      const pending = new PendingCall({
        ...call,
        ...(requestState !== undefined && { requestState }),
      });
      const inputRequests = shape.inputRequests as Record<string, InputRequest>;
      return { kind: "reply", reply: { kind: "input_required", inputRequests, pending } };
    }
    case "complete":
      break;
  }
  return readComplete(shape.result);
}

function readComplete(result: Members): ReadReply {
  const { isError = false, structuredContent, _meta: meta } = result;
  const content = result["content"] ?? (structuredContent === undefined ? undefined : []);
  if (!Array.isArray(content)) return { kind: "malformed", why: "the result has no content list" };
  if (!content.every((block) => isMembers(block) && typeof block["type"] === "string")) {
    return { kind: "malformed", why: "a content block has no type" };
  }
  if (typeof isError !== "boolean") return { kind: "malformed", why: "isError is no boolean" };
  return {
    kind: "reply",
    reply: {
      kind: "complete",
      isError,
      content: content as ContentBlock[],
      ...(structuredContent !== undefined && { structuredContent }),
      ...(isMembers(meta) && { meta }),
    },
  };
}
