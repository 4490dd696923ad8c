import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { FastifyReply } from "fastify";

/** How an answer goes out. */
export interface AnswerOptions {
  /** How long a call may be silent before its answer becomes an event stream, and how often that one is kept alive. */
  readonly keepAliveMs: number;
  /** Whether a slow answer may become an event stream before it is there. */
  readonly mayStream: boolean;
  /** Fires when nothing more is waited for; `last` is then the answer. */
  readonly cut: AbortSignal;
  readonly last: { readonly status: number; readonly body: object };
}

const eventStream = "text/event-stream";

/** Sends what the SDK answers, whenever that is. Resolves when the answer is complete, gone or cut. */
export async function sendAnswer(
  reply: FastifyReply,
  answered: Promise<Response>,
  options: AnswerOptions,
): Promise<void> {
  const { keepAliveMs, mayStream, cut, last } = options;
  const patience = mayStream ? keepAliveMs : undefined;
  const first = await firstOf(answered, cut, patience);
  if (first === "cut") {
    void reply.code(last.status).send(last.body);
    return;
  }
  if (first instanceof Response && !isStream(first)) {
    await sendWhole(reply, first);
    return;
  }
  const output = openStream(reply, first instanceof Response ? first.headers : new Headers());
  if (first instanceof Response) {
    await copy(first, output, cut);
  } else {
    await fill(output, answered, cut, keepAliveMs);
  }
  if (cut.aborted) await write(output, eventOf(JSON.stringify(last.body)));
  output.end();
}

/** The response, or what came before it. */
async function firstOf(
  answered: Promise<Response>,
  cut: AbortSignal,
  patienceMs: number | undefined,
): Promise<Response | "cut" | "slow"> {
  const settled = new AbortController();
  const waits: Promise<Response | "cut" | "slow">[] = [
    answered,
    new Promise((resolve) => {
      if (cut.aborted) resolve("cut");
      cut.addEventListener("abort", () => resolve("cut"), { signal: settled.signal });
    }),
  ];
  let timer: NodeJS.Timeout | undefined;
  if (patienceMs !== undefined) {
    waits.push(
      new Promise((resolve) => {
        timer = setTimeout(() => resolve("slow"), patienceMs);
      }),
    );
  }
  try {
    return await Promise.race(waits);
  } finally {
    clearTimeout(timer);
    settled.abort();
  }
}

/** Keeps a stream alive until its answer comes, then carries that. */
async function fill(
  output: PassThrough,
  answered: Promise<Response>,
  cut: AbortSignal,
  keepAliveMs: number,
): Promise<void> {
  const keepAlive = setInterval(() => void write(output, ": keepalive\n\n"), keepAliveMs);
  try {
    const response = await firstOf(answered, cut, undefined);
    if (!(response instanceof Response)) return;
    if (isStream(response)) await copy(response, output, cut);
    else await write(output, eventOf(await response.text()));
  } finally {
    clearInterval(keepAlive);
  }
}

/** Copies a body to its end even when nobody reads it any more: only the end says that the call is over. */
async function copy(response: Response, output: PassThrough, cut: AbortSignal): Promise<void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const onCut = (): void => void reader.cancel().catch(() => "already closed");
  cut.addEventListener("abort", onCut);
  if (cut.aborted) onCut();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      await write(output, part.value);
    }
  } finally {
    cut.removeEventListener("abort", onCut);
  }
}

async function write(output: PassThrough, chunk: string | Uint8Array): Promise<void> {
  if (output.destroyed || output.writableEnded || output.write(chunk)) return;
  // A reader that went away never drains.
  await Promise.race([once(output, "drain"), once(output, "close")]);
}

function openStream(reply: FastifyReply, headers: Headers): PassThrough {
  const output = new PassThrough();
  // Headers leave with the first bytes, and the first message may be minutes away.
  output.write(":\n\n");
  void copyHeaders(reply, headers)
    .header("content-type", eventStream)
    .header("cache-control", "no-store, no-transform")
    .header("x-accel-buffering", "no")
    .send(output);
  return output;
}

async function sendWhole(reply: FastifyReply, response: Response): Promise<void> {
  const body = await response.text();
  void copyHeaders(reply, response.headers)
    .code(response.status)
    .header("cache-control", "no-store")
    .send(body === "" ? undefined : body);
}

function copyHeaders(reply: FastifyReply, headers: Headers): FastifyReply {
  for (const [name, value] of headers) if (name !== "connection") void reply.header(name, value);
  return reply;
}

function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith(eventStream) ?? false;
}

function eventOf(data: string): string {
  return `event: message\ndata: ${data}\n\n`;
}
