import type { IncomingMessage } from "node:http";
import type { LostAnswer } from "../link.ts";
import { headOf, judge, parseJson } from "./judge.ts";
import { tooLarge, type ReplyContext } from "./reply-context.ts";
import { SseReader, type StreamPosition } from "./sse-reader.ts";

/** How long the end of a stream may follow its last message, for its connection to be used again. */
const END_GRACE_MS = 100;
const DEFAULT_RETRY_MS = 1_000;

/** Reads the stream of one request up to its final answer. */
export function readStream(response: IncomingMessage, o: ReplyContext): void {
  let seen = 0;
  let over = false;
  const settle = (answer: Parameters<ReplyContext["settle"]>[0]): void => {
    over = true;
    reader.stop();
    o.settle(answer);
  };
  const cut = (answer: LostAnswer): void => {
    settle({ ...answer, httpStatus: 200 });
    response.destroy();
  };
  const reader = new SseReader({
    maxEventBytes: o.maxMessageBytes,
    onTooLarge: () => cut(tooLarge(o.maxMessageBytes, o.maxMessageBytes + 1)),
    onData: (data) => {
      const parsed = parseJson(data);
      if (!parsed) {
        const message = "An event of the answer is no JSON.";
        return cut({ kind: "lost", code: "unparsable_reply", message, head: headOf(data) });
      }
      const answer = judge(parsed.value, data, { ...o, httpStatus: 200 });
      if (!answer) return;
      settle(answer);
      endSoon(response);
    },
  });
  response.on("data", (chunk: Buffer) => {
    if (over) return response.destroy();
    seen += chunk.length;
    o.traffic.bytesReceived += chunk.length;
    const limit = o.maxStreamBytes;
    if (seen > limit) {
      const message = `The answer's stream is over maxStreamBytes (${String(limit)}).`;
      const hit = { name: "maxStreamBytes", limit, seen };
      return cut({ kind: "lost", code: "stream_too_large", message, limit: hit });
    }
    if (reader.push(chunk)) o.onActivity();
  });
  const ended = (how: string): void => {
    if (!over) settle(streamEnded(how, reader.position, o.resumable));
  };
  response.once("end", () => ended("ended"));
  response.on("error", (error: NodeJS.ErrnoException) => ended(`broke (${error.code ?? "error"})`));
  response.once("close", () => ended("was closed"));
}

function streamEnded(how: string, position: StreamPosition, resumable: boolean): LostAnswer {
  const { lastEventId = "", retryMs = DEFAULT_RETRY_MS } = position;
  // Only what a header can carry can be named in the request that resumes.
  const canResume =
    resumable && /^[\u0021-\u007e](?:[\u0020-\u007e]{0,1022}[\u0021-\u007e])?$/.test(lastEventId);
  return {
    kind: "lost",
    code: "stream_ended",
    message: `The answer's stream ${how} before the answer.`,
    httpStatus: 200,
    ...(canResume && { resume: { lastEventId, retryMs } }),
  };
}

/** The final answer ends the reading. A stream that ends at once leaves its connection usable; others are cut. */
function endSoon(response: IncomingMessage): void {
  const timer = setTimeout(() => response.destroy(), END_GRACE_MS).unref();
  response.once("close", () => clearTimeout(timer));
}
