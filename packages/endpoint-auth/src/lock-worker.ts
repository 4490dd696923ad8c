import { randomUUID } from "node:crypto";
import { closeSync, linkSync, lstatSync, openSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, type MessagePort } from "node:worker_threads";
import type { AcquireRequest, FromLockWorker, ToLockWorker } from "./lock-messages.ts";

// This file and everything it imports stay free of package imports: it runs under the bare conditions of a
// worker thread, whatever flags the process was started with.

const FIRST_WAIT_MS = 2;
const LONGEST_WAIT_MS = 25;
// Primary result codes, https://www.sqlite.org/rescode.html
const BUSY_CODES: ReadonlySet<number> = new Set([5, 6]);

if (parentPort !== null) serve(parentPort);

function serve(port: MessagePort): void {
  const open = new Map<number, DatabaseSync>();
  const say = (message: FromLockWorker): void => port.postMessage(message);

  const attempt = (request: AcquireRequest, deadline: number, waitMs: number): void => {
    const { id, file } = request;
    const database = open.get(id);
    if (database === undefined) return;
    try {
      // Nothing is ever written, so there is nothing for a journal file to hold.
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
      say({ kind: "held", id });
    } catch (error) {
      if (!isBusy(error))
        fail(id, "lock_unavailable", `${file} cannot be locked: ${textOf(error)}.`);
      else if (performance.now() >= deadline) {
        const waited = `${String(request.timeoutMs)} ms`;
        fail(
          id,
          "lock_timeout",
          `Another process still holds ${file} after ${waited}. Try again later.`,
        );
      } else {
        // The spread keeps many waiters from knocking in step.
        const next = Math.min(LONGEST_WAIT_MS, waitMs * 2);
        setTimeout(attempt, waitMs * (0.5 + Math.random()), request, deadline, next);
      }
    }
  };
  const fail = (id: number, code: "lock_timeout" | "lock_unavailable", message: string): void => {
    free(id);
    say({ kind: "failed", id, code, message });
  };
  const free = (id: number): void => {
    open.get(id)?.close();
    open.delete(id);
  };

  port.on("message", (message: ToLockWorker) => {
    if (message.kind === "release") return free(message.id);
    const { id, file, timeoutMs } = message;
    try {
      open.set(id, openLockFile(file));
    } catch (error) {
      return fail(id, "lock_unavailable", `${file} cannot be opened as a lock: ${textOf(error)}.`);
    }
    attempt(message, performance.now() + timeoutMs, FIRST_WAIT_MS);
  });
}

function openLockFile(file: string): DatabaseSync {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) createEmpty(file);
  const found = lstatSync(file);
  if (!found.isFile()) throw new Error("it is not a plain file");
  if (process.getuid !== undefined && found.uid !== process.getuid()) {
    throw new Error("it belongs to another user");
  }
  const database = new DatabaseSync(file);
  database.exec("PRAGMA busy_timeout = 0");
  return database;
}

/**
 * Closing a descriptor of a file drops every POSIX lock this process has on it, so the new file is closed
 * before it gets the name under which it is locked.
 */
function createEmpty(file: string): void {
  const draft = join(dirname(file), `.${randomUUID()}`);
  closeSync(openSync(draft, "wx", 0o600));
  try {
    linkSync(draft, file);
  } catch (error) {
    // Another process was first; its file is as good.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    unlinkSync(draft);
  }
}

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  return typeof error.errcode === "number" && BUSY_CODES.has(error.errcode & 0xff);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
