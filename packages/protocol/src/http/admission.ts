import { isJsonContentType } from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { classifyFrame, type Frame } from "../framing/index.ts";
import type { RpcError } from "../index.ts";
import type { Principal } from "../server/index.ts";
import { refusalReply } from "../server/refusal.ts";
import type { CallsInFlight } from "./calls-in-flight.ts";
import { distinctHeaders, type HttpGuard } from "./guard.ts";
import {
  bodyTooLarge,
  draining,
  insufficientScope,
  methodNotAllowed,
  refusal,
  tooManyInFlight,
  unknownPath,
  unsupportedMediaType,
  type HttpRefusal,
} from "./refusals.ts";
import { discardBody, readBody } from "./request-body.ts";

/** What decides whether a request is served. */
export interface AdmissionOptions {
  readonly guard: HttpGuard;
  readonly requiredScope: ((tool: string) => string) | undefined;
  readonly maxBodyBytes: number;
  readonly maxInFlight: number;
  readonly maxInFlightPerPrincipal: number;
  readonly calls: CallsInFlight;
  readonly isDraining: () => boolean;
}

/** A message that may be served, and who sent it. */
export interface Admitted {
  readonly principal: Principal;
  readonly frame: Exclude<Frame, { kind: "fault" }>;
}

/**
 * An `onRequest` hook for apps that serve nothing else: answers a path that is not mounted in the same form as
 * every other refusal, before its body is read.
 */
export async function refuseUnknownPath(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (!request.is404) return undefined;
  refuse(request, reply, unknownPath);
  return reply;
}

/** Takes a request through every check in order. One that fails has been answered, and gives undefined. */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  options: AdmissionOptions,
): Promise<Admitted | undefined> {
  const principal = await judgeHead(request, options);
  if ("status" in principal) {
    refuse(request, reply, principal);
    return undefined;
  }
  const body = await readBody(request.raw, options.maxBodyBytes);
  if (body.kind === "broken") {
    reply.hijack();
    return undefined;
  }
  if (body.kind === "too_large") {
    refuse(request, reply, bodyTooLarge(options.maxBodyBytes));
    return undefined;
  }
  const frame = classifyFrame(body.bytes, { maxBytes: options.maxBodyBytes });
  if (frame.kind === "fault") {
    send(reply, 400, frame.reply);
    return undefined;
  }
  const refused = frame.kind === "request" ? judgeRequest(frame, principal, options) : undefined;
  if (frame.kind === "request" && refused !== undefined) {
    send(reply, refused.status, refusalReply(frame.message.id, refused), refused.headers);
    return undefined;
  }
  return { principal, frame };
}

/** The checks that need nothing of the body. */
async function judgeHead(
  request: FastifyRequest,
  { guard }: AdmissionOptions,
): Promise<Principal | HttpRefusal> {
  if (request.method !== "POST") return methodNotAllowed;
  const verdict = await guard({
    method: request.method,
    path: request.url.split("?", 1)[0] ?? "",
    headers: distinctHeaders(request.raw.rawHeaders),
    remoteAddress: request.raw.socket.remoteAddress,
    connection: request.raw.socket,
  });
  if (!verdict.ok) {
    const { status, code, message, headers } = verdict;
    return refusal(status, code, message, { headers });
  }
  const { "content-type": type, "content-encoding": encoding } = request.headers;
  if (!isJsonContentType(type ?? null) || encoding !== undefined) return unsupportedMediaType;
  return verdict.principal;
}

/** The checks of a request that could be read but is not dispatched yet. */
function judgeRequest(
  { message }: Extract<Frame, { kind: "request" }>,
  { subject, scopes }: Principal,
  options: AdmissionOptions,
): HttpRefusal | undefined {
  const { calls, maxInFlight, maxInFlightPerPrincipal, requiredScope } = options;
  if (options.isDraining()) return draining;
  const tool = message.method === "tools/call" ? message.params?.["name"] : undefined;
  if (requiredScope !== undefined && typeof tool === "string") {
    const scope = requiredScope(tool);
    if (!scopes.includes(scope)) return insufficientScope(scope);
  }
  if (calls.size >= maxInFlight) return tooManyInFlight("server", maxInFlight);
  if (calls.countOf(subject) >= maxInFlightPerPrincipal) {
    return tooManyInFlight("principal", maxInFlightPerPrincipal);
  }
  return undefined;
}

/** Refuses without knowing the request's id: its body is thrown away unread. */
function refuse(request: FastifyRequest, reply: FastifyReply, refused: HttpRefusal): void {
  discardBody(request.raw);
  send(reply, refused.status, refusalReply(null, refused), refused.headers);
}

function send(
  reply: FastifyReply,
  status: number,
  body: RpcError,
  headers: Readonly<Record<string, string>> = {},
): void {
  void reply
    .code(status)
    .headers({ "cache-control": "no-store", ...headers })
    .send(body);
}
