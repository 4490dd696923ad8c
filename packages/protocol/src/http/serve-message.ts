import type { FastifyReply, FastifyRequest } from "fastify";
import { isProtocolRevision, type RpcNotification, type RpcRequest } from "../index.ts";
import { refusalReply, type Refusal } from "../server/refusal.ts";
import { ServedAuth, type ServeContext } from "../server/serve-context.ts";
import { judgeParams, unsupportedRevision } from "../server/stdio/route.ts";
import type { Admitted } from "./admission.ts";
import { sendAnswer } from "./answer.ts";
import type { CallsInFlight, ServedCall } from "./calls-in-flight.ts";
import type { Exchanges, IncomingMessage } from "./exchange.ts";
import { deadlineExceeded } from "./refusals.ts";

/** What serving needs besides the message. */
export interface ServingOptions {
  readonly calls: CallsInFlight;
  readonly exchanges: Exchanges;
  readonly keepAliveMs: number;
  readonly callDeadlineMs: number;
  /** How long a call that was told to stop may still answer. */
  readonly settleMs: number;
}

/** Serves one admitted message and resolves when its answer is complete or can reach nobody. */
export async function serveMessage(
  { principal, frame }: Admitted,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServingOptions,
): Promise<void> {
  const context = { principal, params: request.params as ServeContext["params"] };
  switch (frame.kind) {
    case "response":
      options.exchanges.questions.take(frame.message, principal.subject);
      void reply.code(202).send();
      return;
    case "notification":
      await acceptNotification(frame.message, context, request, reply, options);
      return;
    case "request": {
      const call = options.calls.begin(principal.subject, frame.message.method);
      try {
        await serveRequest(frame.message, call, context, request, reply, options);
      } finally {
        options.calls.end(call);
      }
    }
  }
}

/** Without a session a notification of 2025-11-25 concerns nothing that is still there. */
async function acceptNotification(
  message: RpcNotification,
  context: ServeContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { exchanges, ...options }: ServingOptions,
): Promise<void> {
  const incoming = { request: webRequest(request), message, auth: new ServedAuth(context) };
  if (await exchanges.isLegacy(incoming)) {
    void reply.code(202).send();
    return;
  }
  await sendAnswer(reply, exchanges.modern(incoming).response, {
    ...options,
    mayStream: false,
    cut: new AbortController().signal,
    last: { status: 202, body: {} },
  });
}

async function serveRequest(
  message: RpcRequest,
  call: ServedCall,
  context: ServeContext,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServingOptions,
): Promise<void> {
  const { exchanges, callDeadlineMs, settleMs, keepAliveMs } = options;
  const ended = new AbortController();
  const incoming: IncomingMessage = {
    request: webRequest(request, ended.signal),
    message,
    auth: new ServedAuth(context, () => call.abort.signal),
  };
  const legacy = await exchanges.isLegacy(incoming);
  const refused =
    judgeRevision(message, request, legacy) ??
    judgeParams(message, legacy ? "2025-11-25" : "2026-07-28");
  if (refused !== undefined) {
    void reply.code(400).send(refusalReply(message.id, refused));
    return;
  }
  const cut = new AbortController();
  let settle: NodeJS.Timeout | undefined;
  call.abort.signal.addEventListener("abort", () => {
    // A subscription has nothing to settle: told to stop, it has stopped.
    settle = setTimeout(() => cut.abort(), call.standing ? 0 : settleMs);
  });
  const deadline = call.standing ? undefined : setTimeout(() => call.abort.abort(), callDeadlineMs);
  const onClose = (): void => {
    // Under 2025-11-25 a lost connection cancels nothing (transports, "Sending Messages").
    if (legacy || reply.raw.writableFinished) return;
    call.abort.abort();
    ended.abort();
  };
  reply.raw.on("close", onClose);
  const exchange = legacy ? await exchanges.legacy(incoming) : exchanges.modern(incoming);
  try {
    await sendAnswer(reply, exchange.response, {
      keepAliveMs,
      mayStream: !legacy && message.method === "tools/call",
      cut: cut.signal,
      last: {
        status: deadlineExceeded.status,
        body: refusalReply(message.id, deadlineExceeded),
      },
    });
  } finally {
    clearTimeout(settle);
    clearTimeout(deadline);
    await exchange.close();
  }
}

/**
 * A 2025-11-25 request of another revision, which the SDK would refuse in words alone. One that claims another
 * revision in its `_meta` is left to the SDK: what that lists has to agree with its `server/discover`.
 */
function judgeRevision(
  message: RpcRequest,
  request: FastifyRequest,
  legacy: boolean,
): Refusal | undefined {
  const header = request.headers["mcp-protocol-version"];
  if (!legacy || message.method === "initialize") return undefined;
  if (typeof header !== "string" || isProtocolRevision(header)) return undefined;
  return unsupportedRevision(header);
}

/** The request as the SDK knows requests, without the body we have read and the credentials it need not see. */
function webRequest({ raw, url }: FastifyRequest, signal?: AbortSignal): Request {
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.rawHeaders.length; index += 2) {
    const name = (raw.rawHeaders[index] ?? "").toLowerCase();
    if (!withheld.has(name)) headers.append(name, raw.rawHeaders[index + 1] ?? "");
  }
  // The host is of no consequence here and never the one that was sent.
  return new Request(new URL(url, "http://localhost"), {
    method: "POST",
    headers,
    ...(signal === undefined ? {} : { signal }),
  });
}

const withheld: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
]);
