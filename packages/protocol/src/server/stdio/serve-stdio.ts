import type { Readable } from "node:stream";
import {
  classifyFrame,
  FrameReader,
  FrameWriter,
  oversizeReply,
  type OutputFault,
} from "../../framing/index.ts";
import { limitOf, limits } from "../../limits.ts";
import { stderrLog } from "../log.ts";
import type { ToolServerFactory } from "../server-factory.ts";
import { Connection } from "./connection.ts";
import type { ServeStdioOptions } from "./options.ts";
import type { ServeEnd } from "./serve-end.ts";

/** The reader has capped the line already, so the parser need not cap it again. */
const lineLimits = { maxBytes: limits.maxBytes.max };
/** How long calls in flight may go on once the input has ended. */
const drainMs = 5_000;
/** How long handlers may take to notice that they were aborted. */
const settleMs = 1_000;
/** How long a full queue, or the last answers, may wait for the peer to read. */
const stallMs = 30_000;

/**
 * Serves both MCP revisions, and bare methods if asked to, on one pipe until it ends. Every line gets at most
 * one answer; nothing but frames is written to the output. Resolves with the reason serving ended, and never rejects
 * for anything a peer does. Exit the process then: an output nobody reads would keep it alive. @throws ProtocolError invalid_option
 */
export async function serveStdio(
  factory: ToolServerFactory,
  options: ServeStdioOptions = {},
): Promise<ServeEnd> {
  const {
    input = process.stdin,
    output = process.stdout,
    log = stderrLog,
    maxFrameBytes,
  } = options;
  let end: ServeEnd | undefined;
  const stop = (reason: ServeEnd): void => {
    if (end === undefined || drains(end)) end = reason;
    input.destroy();
    connection.abort();
  };
  const writer = new FrameWriter(output, {
    stallMs,
    onFault: (fault) => stop(describeOutputFault(fault)),
  });
  const connection = new Connection({
    factory,
    context: { principal: options.principal ?? { subject: "stdio", scopes: [] }, params: {} },
    maxInFlight: limitOf("maxInFlight", options.maxInFlight),
    bareMethods: options.bareMethods ?? new Map(),
    bareArgumentCodes: options.bareArgumentCodes ?? new Set(),
    // A writer that fails says so once, to onFault; its refusals of thousands of waiting frames add nothing.
    write: (message) => writer.write(message).catch(() => undefined),
    whenRoom: () => writer.whenNotFull(),
    log,
  });
  const reader = new FrameReader({
    ...(maxFrameBytes === undefined ? {} : { maxFrameBytes }),
    onFrame: (bytes) => connection.accept(classifyFrame(bytes, lineLimits)),
    onFault: (fault) => {
      switch (fault.kind) {
        case "too_large":
          connection.accept({ kind: "fault", reply: oversizeReply(fault.limitBytes) });
          return;
        case "frame_flood":
          stop({
            kind: "frame_flood",
            detail: `One line went on beyond ${String(fault.limitBytes)} bytes.`,
          });
          return;
        case "truncated_input":
          end ??= {
            kind: "truncated_input",
            detail: `The input ended inside a line, after ${String(fault.pendingBytes)} bytes of it.`,
          };
      }
    },
  });

  const closed: ServeEnd = { kind: "closed", detail: "Serving was closed." };
  const onAbort = (): void => stop(closed);
  options.signal?.addEventListener("abort", onAbort);
  if (options.signal?.aborted) onAbort();
  try {
    for await (const chunk of input) {
      reader.push(chunk as Uint8Array);
      // Whoever does not read answers is not read either.
      await writer.whenNotFull();
    }
    reader.end();
    end ??= { kind: "end_of_input", detail: "The input ended." };
  } catch (error) {
    if (end === undefined && !isInputFault(error, input)) throw error;
    end ??= { kind: "closed", detail: `The input was closed: ${String(error)}` };
  }

  const summary = await connection.end(drains(end) ? drainMs : 0, settleMs);
  if (!(await flushed(writer)))
    stop({ kind: "output_stalled", detail: "The last answers were not read." });
  options.signal?.removeEventListener("abort", onAbort);
  const usual = end.kind === "end_of_input" || end.kind === "closed";
  log(usual ? "info" : "warn", "serving_ended", { ...end, ...summary });
  return end;
}

/** Tells a broken or destroyed input from a mistake of ours, which must not pass for one. */
function isInputFault(error: unknown, input: Readable): boolean {
  const premature =
    error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
  return premature || error === input.errored;
}

/** After these the peer still reads: calls may finish and their answers go out. */
function drains({ kind }: ServeEnd): boolean {
  return kind === "end_of_input" || kind === "truncated_input";
}

async function flushed(writer: FrameWriter): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), stallMs);
  });
  const done = await Promise.race([writer.close().then(() => true), late]);
  clearTimeout(timer);
  return done;
}

function describeOutputFault(fault: OutputFault): ServeEnd {
  const detail =
    fault.kind === "output_broken"
      ? `The output broke: ${fault.cause.message}`
      : `Nothing was read for ${String(stallMs)} ms; ${String(fault.queuedBytes)} bytes wait.`;
  return { kind: fault.kind, detail };
}
