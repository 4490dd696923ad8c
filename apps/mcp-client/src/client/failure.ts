import type { DeliveryEvidence } from "@postern/protocol";
import { ClientError, type ClientErrorCode, type LostCode } from "../errors.ts";
import type { Phase, Sensitive } from "../outcome.ts";
import type { RpcError } from "../protocol/json-rpc.ts";
import type { Answer, LimitHit, ResumePoint } from "./answer.ts";

/** An error with the facts that belong into the detail beside it. */
export interface Failure {
  readonly error: ClientError;
  readonly jsonRpcCode?: number;
  readonly httpStatus?: number;
  readonly resume?: ResumePoint;
  readonly limit?: LimitHit;
  readonly sensitive?: Sensitive;
}

type LostCause = Extract<DeliveryEvidence, { kind: "lost" }>["cause"];

const LOST_CAUSES: Readonly<Record<LostCode, LostCause>> = {
  timeout: "timeout",
  idle_timeout: "timeout",
  aborted: "abort",
  client_closed: "abort",
  server_exited: "peer_exit",
  connection_lost: "reset",
  stream_ended: "eof",
  message_too_large: "reply_too_large",
  stream_too_large: "reply_too_large",
  unparsable_reply: "reply_unreadable",
  protocol_violation: "reply_unreadable",
  peer_flood: "reply_unreadable",
  uncorrelated_error: "wrong_id",
};

const RPC_CODES: Readonly<Record<number, ClientErrorCode>> = {
  [-32700]: "invalid_request",
  [-32600]: "invalid_request",
  [-32601]: "method_not_found",
  [-32602]: "invalid_params",
  [-32020]: "header_mismatch",
  [-32021]: "missing_capability",
  [-32022]: "unsupported_revision",
};

/** Judges an answer that is no result. The class comes from what was seen on the wire, never from its words. */
export async function failureOf(
  answer: Exclude<Answer, { kind: "result" }>,
  at: { method: string; phase: Phase },
): Promise<Failure> {
  // Until the call itself is written, nothing that happens to a request can have run the tool.
  const before = at.phase !== "call";
  const { classifyDelivery } = await import("@postern/protocol");
  switch (answer.kind) {
    case "rpc_error":
      return {
        ...(await rpcFailure(answer.error, at.method, before)),
        ...(answer.httpStatus !== undefined && { httpStatus: answer.httpStatus }),
      };
    case "http_status":
      return httpFailure(answer, before);
    case "not_sent":
      return {
        error: new ClientError(answer.code, "not_sent", answer.message),
        ...(answer.limit && { limit: answer.limit }),
      };
    case "lost":
      break;
  }
  const { delivery } = classifyDelivery({ kind: "lost", cause: LOST_CAUSES[answer.code] });
  return {
    error: new ClientError(answer.code, before ? "not_sent" : delivery, answer.message, {
      ...(answer.data && { data: answer.data }),
    }),
    ...(answer.limit && { limit: answer.limit }),
    ...(answer.httpStatus !== undefined && { httpStatus: answer.httpStatus }),
    ...(answer.resume && { resume: answer.resume }),
    ...(answer.head !== undefined && { sensitive: { replyHead: answer.head } }),
  };
}

async function rpcFailure(rpc: RpcError, method: string, before: boolean): Promise<Failure> {
  const { classifyDelivery } = await import("@postern/protocol");
  const { delivery } = classifyDelivery({ kind: "rpc_error", code: rpc.code, method });
  const code = RPC_CODES[rpc.code] ?? "server_error";
  const words = await peerWords(rpc.message);
  const verdict =
    delivery === "rejected"
      ? "The server refused the request before running it"
      : "The server answered with an error; the tool may have changed something";
  const advice =
    code === "header_mismatch"
      ? " The tool may have changed: list the tools again before calling."
      : "";
  const message = `${before ? "The server answered with an error" : verdict}: error ${String(rpc.code)}${words}.${advice}`;
  return {
    error: new ClientError(code, before ? "not_sent" : delivery, message, {
      data: { jsonRpcCode: rpc.code },
    }),
    jsonRpcCode: rpc.code,
    sensitive: { serverError: rpc },
  };
}

async function httpFailure(
  answer: Extract<Answer, { kind: "http_status" }>,
  before: boolean,
): Promise<Failure> {
  const { classifyDelivery } = await import("@postern/protocol");
  const { status, head, challenge } = answer;
  const { delivery } = classifyDelivery({ kind: "http_status", status });
  return {
    error: new ClientError(answer.code, before ? "not_sent" : delivery, answer.message, {
      ...(answer.data && { data: answer.data }),
    }),
    httpStatus: status,
    sensitive: {
      ...(head !== undefined && { replyHead: head }),
      ...(challenge !== undefined && { challenge }),
    },
  };
}

/** At most 200 characters of what the peer said, on one line and unable to act on a terminal. */
export async function peerWords(text: string): Promise<string> {
  if (text === "") return "";
  const { safeLine } = await import("@postern/terminal-text");
  return `, which it words as "${safeLine(text, { maxChars: 200 })}"`;
}
