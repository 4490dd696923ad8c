import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { makePrivateDirectory } from "./private-file.ts";
import { isBusy } from "./sqlite-error.ts";

/**
 * The locks that say which owners live. An owner holds an exclusive transaction on `owners/<id>.lock` from
 * before its first row until its end; the system frees it when the process dies, however it dies.
 */
export class OwnerLocks {
  readonly owner: string;
  readonly #directory: string;
  readonly #own: DatabaseSync;

  constructor(directory: string) {
    this.#directory = directory;
    makePrivateDirectory(directory);
    [this.owner, this.#own] = this.#takeNew();
  }

  /**
   * Runs `task` if the owner is gone, while nobody else can find that out, and then forgets the owner. Returns
   * whether it was gone.
   */
  ifGone(owner: string, task: () => void): boolean {
    if (owner === this.owner) return false;
    const path = this.#path(owner);
    const lock = lockExclusively(path);
    if (lock === "held") return false;
    try {
      task();
      if (lock !== "missing") rmSync(path, { force: true });
    } finally {
      if (lock !== "missing") lock.close();
    }
    return true;
  }

  /** Removes the lock files of owners that are gone and left no pending row. */
  sweep(): void {
    for (const name of readdirSync(this.#directory)) {
      const owner = /^([0-9a-f-]{36})\.lock$/.exec(name)?.[1];
      if (owner !== undefined) this.ifGone(owner, () => undefined);
    }
  }

  release(): void {
    rmSync(this.#path(this.owner), { force: true });
    this.#own.close();
  }

  #takeNew(): [owner: string, lock: DatabaseSync] {
    for (;;) {
      const owner = randomUUID();
      const path = this.#path(owner);
      closeSync(openSync(path, "wx", 0o600));
      const lock = lockExclusively(path);
      if (typeof lock !== "string") {
        // A sweep may have found the file before it was locked, and removed it.
        if (existsSync(path)) return [owner, lock];
        lock.close();
      }
    }
  }

  #path(owner: string): string {
    return join(this.#directory, `${owner}.lock`);
  }
}

function lockExclusively(path: string): DatabaseSync | "held" | "missing" {
  if (!existsSync(path)) return "missing";
  // mode=rw: a file removed since then must not come back.
  const url = pathToFileURL(path);
  url.searchParams.set("mode", "rw");
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(url);
  } catch (error) {
    if (!existsSync(path)) return "missing";
    throw error;
  }
  try {
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return "held";
    throw error;
  }
}
