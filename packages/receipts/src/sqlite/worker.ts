import { dirname, join } from "node:path";
import {
  parentPort,
  receiveMessageOnPort,
  workerData,
  type MessagePort,
} from "node:worker_threads";
import { ReceiptsError } from "../errors.ts";
import { Connection } from "./connection.ts";
import { Executor, type Job } from "./executor.ts";
import { OwnerLocks } from "./owner-lock.ts";
import { preparePrivateFile } from "./private-file.ts";
import { isDamage, messageOf } from "./sqlite-error.ts";
import { SqliteTable } from "./sqlite-table.ts";
import { prepareTables } from "./tables.ts";
import type { FromWorker, ToWorker, WorkerInput } from "./worker-messages.ts";

// This file and everything it imports stay free of package imports: it runs under the bare conditions of a
// worker thread, whatever flags the process was started with.

interface OpenStore {
  readonly connection: Connection;
  readonly locks: OwnerLocks;
  readonly executor: Executor;
}

if (parentPort !== null) serve(parentPort, workerData as WorkerInput);

function serve(port: MessagePort, input: WorkerInput): void {
  const say = (message: FromWorker): void => port.postMessage(message);
  let store: OpenStore;
  try {
    store = open(input);
  } catch (error) {
    say({ kind: "failed", ...failureOf(error) });
    port.close();
    return;
  }
  say({ kind: "opened", owner: store.locks.owner });
  port.on("message", (first: ToWorker) => {
    const messages = [first, ...waitingOn(port)];
    const jobs: readonly Job[] = messages.flatMap((message) =>
      message.kind === "jobs" ? message.jobs : [],
    );
    const results = jobs.length > 0 ? store.executor.run(jobs) : [];
    const { readOnly } = store.executor;
    say({ kind: "results", results, ...(readOnly !== undefined && { readOnly }) });
    if (messages.some(({ kind }) => kind === "close")) {
      store.connection.close();
      store.locks.release();
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

function open({ file, fault }: WorkerInput): OpenStore {
  preparePrivateFile(file);
  const connection = new Connection(file, fault);
  prepareTables(connection);
  const locks = new OwnerLocks(join(dirname(file), "owners"));
  const executor = new Executor(connection, new SqliteTable(connection), locks);
  executor.buryDeadOwners(Date.now());
  return { connection, locks, executor };
}

function failureOf(error: unknown): Pick<ReceiptsError, "code" | "message"> {
  if (error instanceof ReceiptsError) return { code: error.code, message: error.message };
  const code = isDamage(error) ? "store_damaged" : "store_unavailable";
  return { code, message: `The receipt store cannot be opened: ${messageOf(error)}.` };
}
