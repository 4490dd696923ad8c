import type { Answer } from "../../client/answer.ts";
import {
  readEnvelope,
  type Incoming,
  type RpcNotification,
  type RpcRequest,
} from "../../protocol/json-rpc.ts";

/** Errors that a server may send without an id, because it refused before reading one. */
const REFUSED_UNREAD: ReadonlySet<number> = new Set([
  -32700, -32600, -32601, -32020, -32021, -32022,
]);

export interface JudgeContext {
  readonly id: number;
  readonly httpStatus: number;
  readonly onMessage: (message: RpcNotification | RpcRequest) => void;
  readonly onStray: () => void;
}

/** Bytes as JSON, or undefined where they are none or no UTF-8. */
export function parseJson(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The answer to our request among the messages of one JSON value, if it is there; the rest is passed on. */
export function judge(value: unknown, bytes: Uint8Array, o: JudgeContext): Answer | undefined {
  let answer: Answer | undefined;
  // Revision 2025-03-26 lets a server answer in batches; each member is a message of its own.
  for (const item of Array.isArray(value) && value.length > 0 ? value : [value]) {
    const judged = judgeOne(readEnvelope(item), bytes, o);
    if (judged && answer) o.onStray();
    answer ??= judged;
  }
  return answer;
}

function judgeOne(incoming: Incoming, bytes: Uint8Array, o: JudgeContext): Answer | undefined {
  switch (incoming.kind) {
    case "request":
    case "notification":
      o.onMessage(incoming.message);
      return undefined;
    case "result":
      if (incoming.id === o.id) return { kind: "result", result: incoming.result, bytes };
      break;
    case "error":
      if (
        incoming.id === o.id ||
        (incoming.id === null && REFUSED_UNREAD.has(incoming.error.code))
      ) {
        return { kind: "rpc_error", error: incoming.error, httpStatus: o.httpStatus };
      }
      if (incoming.id !== null || o.httpStatus !== 200) break;
      return {
        kind: "lost",
        code: "uncorrelated_error",
        message: "The server answered with an error that names no request.",
        head: incoming.error.message,
      };
    case "broken_answer":
      if (incoming.id !== o.id) break;
      return {
        kind: "lost",
        code: "unparsable_reply",
        message: "The answer is neither a result nor an error.",
        head: headOf(bytes),
      };
    case "noise":
      break;
  }
  o.onStray();
  return undefined;
}

/** The beginning of an answer, for the eyes of a person who looks for the fault. */
export function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1_024)).toString("utf8");
}
