import type { IncomingMessage } from "node:http";
import type { FailedAnswer, LostAnswer } from "../link.ts";
import { readBody } from "./body.ts";
import { headOf, judge, parseJson } from "./judge.ts";
import { tooLarge, type ReplyContext } from "./reply-context.ts";
import { isHtml, mediaType, statusAnswer } from "./status.ts";
import { readStream } from "./stream.ts";

const MAX_ERROR_BYTES = 64 * 1_024;

/** Reads the answer to one request, by its status and its content type. */
export async function readReply(response: IncomingMessage, o: ReplyContext): Promise<void> {
  const { statusCode: status = 0, headers } = response;
  if (status !== 200) return readRefusal(response, o);
  const coding = headers["content-encoding"] ?? "identity";
  if (coding.toLowerCase() !== "identity") {
    o.settle(unparsable("The answer is compressed, which was not asked for."));
    response.destroy();
    return;
  }
  switch (mediaType(headers["content-type"])) {
    case "application/json":
      return readJson(response, o);
    case "text/event-stream":
      return readStream(response, o);
    default:
      return readForeign(response, o);
  }
}

async function readJson(response: IncomingMessage, o: ReplyContext): Promise<void> {
  const limit = o.maxMessageBytes;
  const body = await readBody(response, {
    maxBytes: limit,
    onBytes: (count) => received(o, count),
  });
  switch (body.kind) {
    case "broken": {
      const message = `The connection was lost within the answer (${body.reason}).`;
      return o.settle({ kind: "lost", code: "connection_lost", message, httpStatus: 200 });
    }
    case "over":
      return o.settle(tooLarge(limit, body.seen));
    case "whole":
      break;
  }
  const parsed = parseJson(body.bytes);
  const head = headOf(body.bytes);
  if (!parsed) {
    const what = body.bytes.length === 0 ? "is empty" : "is no JSON";
    return o.settle(unparsable(`The answer ${what}.`, head));
  }
  const answer = judge(parsed.value, body.bytes, { ...o, httpStatus: 200 });
  const message = "The server answered, but not to this request.";
  o.settle(answer ?? { kind: "lost", code: "protocol_violation", message, head, httpStatus: 200 });
}

/** A body that is neither JSON nor a stream holds no answer; its beginning may tell a person why. */
async function readForeign(response: IncomingMessage, o: ReplyContext): Promise<void> {
  const page = isHtml(response);
  const { bytes } = await readErrorBody(response, o);
  const message = page
    ? "The server answered with a web page. Check the URL: it must be the MCP endpoint itself."
    : "The server answered with something else than JSON or an event stream.";
  o.settle(unparsable(message, headOf(bytes)));
}

/** Any other status: the server's own error counts where it is there, else the status alone. */
async function readRefusal(response: IncomingMessage, o: ReplyContext): Promise<void> {
  const byStatus = statusAnswer(response, o.asked);
  o.expect(byStatus);
  const { statusCode: status = 0, headers } = response;
  // An answer about who asks, or from where, is the transport's, whatever its body says.
  const final = status === 401 || byStatus.code === "insufficient_scope" || status < 400;
  const body = await readErrorBody(response, o);
  const withHead: FailedAnswer =
    body.bytes.length > 0 ? { ...byStatus, head: headOf(body.bytes) } : byStatus;
  const isJson = mediaType(headers["content-type"]) === "application/json";
  const parsed = isJson && body.kind === "whole" ? parseJson(body.bytes) : undefined;
  if (final || !parsed) return o.settle(withHead);
  o.settle(judge(parsed.value, body.bytes, { ...o, httpStatus: status }) ?? withHead);
}

async function readErrorBody(
  response: IncomingMessage,
  o: ReplyContext,
): Promise<{ kind: string; bytes: Buffer }> {
  return readBody(response, {
    maxBytes: MAX_ERROR_BYTES,
    onBytes: (count) => received(o, count),
  });
}

function received(o: ReplyContext, count: number): void {
  o.traffic.bytesReceived += count;
  o.onActivity();
}

function unparsable(message: string, head?: string): LostAnswer {
  return {
    kind: "lost",
    code: "unparsable_reply",
    message,
    ...(head !== undefined && { head }),
    httpStatus: 200,
  };
}
