import { notSent } from "../errors.ts";
import { mayHaveLostDigits, parseBigIntegers } from "../protocol/exact-json.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { readToolReply, type PendingCall, type ToolReply } from "../protocol/tool-reply.ts";
import type { Account } from "./account.ts";
import type { Answer } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { failureOf, type Failure } from "./failure.ts";
import { claimedEffects } from "./lists.ts";
import { malformedResult } from "./malformed.ts";
import type { CallOptions } from "./options.ts";
import type { Terms } from "./peer.ts";

export type Called<T> = { kind: "answered"; value: T } | { kind: "failed"; failure: Failure };

const METHOD = "tools/call";

/** Calls one tool, once. */
export async function callOneTool(
  connection: Connection,
  account: Account,
  call: { name: string; args: object | undefined; unlisted?: boolean },
  o: CallOptions,
): Promise<Called<ToolReply>> {
  const { name, args = {} } = call;
  if (!isMembers(args)) return refuse("The arguments are not an object.");
  const unusable = call.unlisted ? undefined : await headersFor(connection, account, name, o);
  if (unusable) return { kind: "failed", failure: unusable };
  account.phase = "call";
  const identified = await withRequestId(args, o.requestId);
  const { requestId } = identified;
  if (typeof requestId === "string") account.requestId = requestId;
  account.effects = claimedEffects(connection.knownTools.get(name));
  return exchange(connection, account, { name, args: identified }, {}, o);
}

/** Answers what an unfinished call asked for. */
export async function continueOneCall(
  connection: Connection,
  account: Account,
  pending: PendingCall,
  responses: Record<string, unknown>,
  o: CallOptions,
): Promise<Called<ToolReply>> {
  account.phase = "call";
  const call = pending.take();
  if (!call) {
    const message = "This pending call was continued before; each can be continued once.";
    return { kind: "failed", failure: { error: notSent("already_continued", message) } };
  }
  account.effects = claimedEffects(connection.knownTools.get(call.name));
  const { requestState } = call;
  // The state is the server's own and goes back byte for byte.
  const more = { inputResponses: responses, ...(requestState !== undefined && { requestState }) };
  return exchange(connection, account, call, more, o);
}

async function exchange(
  connection: Connection,
  account: Account,
  call: { name: string; args: object },
  more: Members,
  o: CallOptions,
): Promise<Called<ToolReply>> {
  const { peer, config } = connection;
  const params = { name: call.name, arguments: call.args, ...more };
  const answer = await peer.request(METHOD, params, termsOf(config, o, account));
  return readCallAnswer(connection, account, answer, { call, o });
}

/** The reply of a tool call, or how it failed. */
export async function readCallAnswer(
  { peer }: Connection,
  account: Account,
  answer: Answer,
  { call, o }: { call: { name: string; args: object }; o: CallOptions },
): Promise<Called<ToolReply>> {
  if (answer.kind !== "result") {
    return { kind: "failed", failure: await failureOf(answer, { method: METHOD, phase: "call" }) };
  }
  const result = withExactIntegers(answer, account, o.exactIntegers === true);
  const read = readToolReply(peer.revision.readResult(result), call);
  if (read.kind === "reply") return { kind: "answered", value: read.reply };
  return { kind: "failed", failure: malformedResult(METHOD, read.why, "delivered") };
}

/** Sends any other request and hands its result over as it is. */
export async function requestOnce(
  connection: Connection,
  account: Account,
  call: { method: string; params: object | undefined },
  o: CallOptions,
): Promise<Called<unknown>> {
  const { method, params } = call;
  if (/^(?:initialize|server\/discover|notifications\/.*)$/.test(method)) {
    const message = `${method} belongs to the connection itself and cannot be sent by hand.`;
    return { kind: "failed", failure: { error: notSent("method_not_allowed", message) } };
  }
  if (params !== undefined && !isMembers(params)) return refuse("The params are not an object.");
  const isCall = method === METHOD;
  const unusable = isCall && (await headersFor(connection, account, params?.["name"], o));
  if (unusable) return { kind: "failed", failure: unusable };
  account.phase = "call";
  account.effects = isCall ? "possible" : "none";
  const answer = await connection.peer.request(
    method,
    params,
    termsOf(connection.config, o, account),
  );
  if (answer.kind === "result") {
    return {
      kind: "answered",
      value: withExactIntegers(answer, account, o.exactIntegers === true),
    };
  }
  return { kind: "failed", failure: await failureOf(answer, { method, phase: "call" }) };
}

/** Loaded for HTTP alone. */
async function headersFor(
  connection: Connection,
  account: Account,
  tool: unknown,
  o: CallOptions,
): Promise<Failure | undefined> {
  if (connection.peer.link.kind !== "http") return undefined;
  const { learnToolHeaders } = await import("./tool-headers.ts");
  return learnToolHeaders(connection, account, tool, o);
}

async function withRequestId(args: Members, wanted: string | undefined): Promise<Members> {
  if (wanted === undefined) return args;
  if (wanted !== "new") return { ...args, requestId: wanted };
  const { newRequestId } = await import("@postern/protocol");
  return { ...args, requestId: newRequestId() };
}

/** A double holds integers up to 2^53; beyond, the digits are read again from what arrived. */
function withExactIntegers(
  answer: Extract<Answer, { kind: "result" }>,
  account: Account,
  exact: boolean,
): unknown {
  if (!mayHaveLostDigits(answer.result)) return answer.result;
  const { value, count } = parseBigIntegers(Buffer.from(answer.bytes).toString("utf8"));
  if (count === 0) return answer.result;
  if (exact && isMembers(value)) return value["result"];
  account.warn(
    "inexact_integers",
    `${String(count)} integer(s) of the result are beyond 2^53 and lost digits; ask for exactIntegers.`,
  );
  return answer.result;
}

/** The terms of one request of a caller. */
export function termsOf(config: Connection["config"], o: CallOptions, account: Account): Terms {
  return {
    timeoutMs: o.timeoutMs ?? config.timeoutMs,
    warn: (code, message) => account.warn(code, message),
    ...(config.idleTimeoutMs !== undefined && { idleTimeoutMs: config.idleTimeoutMs }),
    ...(o.signal && { signal: o.signal }),
    ...(o.onProgress && { onProgress: (progress) => o.onProgress?.(progress) }),
    ...(o.onNotification && { onNotification: (notice) => o.onNotification?.(notice) }),
  };
}

function refuse(message: string): { kind: "failed"; failure: Failure } {
  return { kind: "failed", failure: { error: notSent("invalid_arguments", message) } };
}
