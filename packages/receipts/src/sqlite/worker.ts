import {
  parentPort,
  receiveMessageOnPort,
  workerData,
  type MessagePort,
} from "node:worker_threads";
import { ReceiptsError } from "../errors.ts";
import { openEngine, type OpenEngine } from "./engine.ts";
import type { Job } from "./executor.ts";
import { isDamage, messageOf } from "./sqlite-error.ts";
import type { FromWorker, ToWorker, WorkerInput } from "./worker-messages.ts";

// This file and everything it imports stay free of package imports: it runs under the bare conditions of a
// worker thread, whatever flags the process was started with.

if (parentPort !== null) serve(parentPort, workerData as WorkerInput);

function serve(port: MessagePort, input: WorkerInput): void {
  const say = (message: FromWorker): void => port.postMessage(message);
  let store: OpenEngine;
  try {
    store = openEngine(input);
  } catch (error) {
    say({ kind: "failed", ...failureOf(error) });
    port.close();
    return;
  }
  say({ kind: "opened", owner: store.owner });
  port.on("message", (first: ToWorker) => {
    const messages = [first, ...waitingOn(port)];
    const jobs: readonly Job[] = messages.flatMap((message) =>
      message.kind === "jobs" ? message.jobs : [],
    );
    const results = jobs.length > 0 ? store.executor.run(jobs) : [];
    const { readOnly } = store.executor;
    say({ kind: "results", results, ...(readOnly !== undefined && { readOnly }) });
    if (messages.some(({ kind }) => kind === "close")) {
      store.close();
      port.close();
    }
  });
}

/** Everything that arrived while the last group was being written joins the next one. */
function waitingOn(port: MessagePort): readonly ToWorker[] {
  const waiting: ToWorker[] = [];
  for (;;) {
    const next: { message: ToWorker } | undefined = receiveMessageOnPort(port);
    if (next === undefined) return waiting;
    waiting.push(next.message);
  }
}

function failureOf(error: unknown): Pick<ReceiptsError, "code" | "message"> {
  if (error instanceof ReceiptsError) return { code: error.code, message: error.message };
  const code = isDamage(error) ? "store_damaged" : "store_unavailable";
  return { code, message: `The receipt store cannot be opened: ${messageOf(error)}.` };
}
