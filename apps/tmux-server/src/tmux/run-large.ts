import { type Command, startProcess } from "@postern/exec-sandbox";
import type { TmuxOptions } from "./program.ts";
import { exitOutcome, type TmuxOutcome } from "./tmux-outcome.ts";

const limitBytes = 64 * 1024 * 1024;

/** Runs tmux for an answer that may be larger than a command's usual cap, such as a whole history. */
export async function runLarge(command: Command, options: TmuxOptions): Promise<TmuxOutcome> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const started = await startProcess(command, {
    stopBy: [{ step: "KILL", graceMs: 500 }],
    survivors: "leave",
    signal: deadline,
  });
  if (started.kind === "not_started") {
    return started.code === "executable_missing"
      ? { kind: "not_found", path: options.path }
      : { kind: "not_started", code: started.code };
  }
  const { process } = started;
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of process.stdout as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limitBytes) return { kind: "too_large", limitBytes };
    }
    const { exitCode } = await process.exited;
    if (deadline.aborted) return { kind: "timed_out", limitMs: options.timeoutMs };
    const { head, tail } = process.stderrTail();
    const message = head + tail;
    return exitOutcome({
      exitCode,
      stdout: Buffer.concat(chunks),
      message,
      socket: options.socket,
    });
  } finally {
    await process.close();
  }
}
