import { once } from "node:events";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { withProcessLock } from "../src/index.ts";
import { startFixture } from "./programs.ts";

proves(
  "AUTH-27",
  "a lock another process holds is waited for, and in vain is lock_timeout",
  async () => {
    const file = join(temporaryDirectory(), "lock");
    const { firstLine } = startFixture("holds-lock.mjs", file);
    await firstLine;
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);

    const waited = withProcessLock(file, { timeoutMs: 100 }, () => "ran");

    await expect(waited).rejects.toMatchObject({ code: "lock_timeout" });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  },
);

proves("AUTH-27", "the death of its owner frees a lock", async () => {
  const file = join(temporaryDirectory(), "lock");
  const { child, firstLine } = startFixture("holds-lock.mjs", file);
  await firstLine;

  const waiting = withProcessLock(file, {}, () => "ran");
  child.kill("SIGKILL");
  await once(child, "exit");

  await expect(waiting).resolves.toBe("ran");
});

proves("AUTH-27", "tasks of one process under one file run one after the other", async () => {
  const file = join(temporaryDirectory(), "lock");
  const log: string[] = [];
  const task = async (name: string): Promise<void> => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`${name} ends`);
  };

  await Promise.all(["a", "b", "c"].map((name) => withProcessLock(file, {}, () => task(name))));

  const pairs = [0, 2, 4].map((at) => log.slice(at, at + 2).map((line) => line.split(" ")));
  expect(pairs.every(([begin, end]) => begin?.[0] === end?.[0])).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a task that throws frees the lock and its error comes through", async () => {
  const file = join(temporaryDirectory(), "lock");

  await expect(
    withProcessLock(file, {}, () => {
      throw new Error("broken task");
    }),
  ).rejects.toThrow("broken task");
  await expect(withProcessLock(file, { timeoutMs: 5_000 }, () => "next")).resolves.toBe("next");
});

test("an abort ends the wait and leaves the lock to others", async () => {
  const file = join(temporaryDirectory(), "lock");
  const controller = new AbortController();
  const { signal } = controller;

  const ran = await withProcessLock(file, {}, async () => {
    const waiting = withProcessLock(file, { signal }, () => "never");
    controller.abort(new Error("stop waiting"));
    return waiting.catch(String);
  });

  expect(ran).toBe("Error: stop waiting");
  await expect(withProcessLock(file, { signal }, () => "never")).rejects.toThrow("stop waiting");
  await expect(withProcessLock(file, {}, () => "free")).resolves.toBe("free");
});

test("a directory, or a place that is not there, cannot be a lock", async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "lock"));

  for (const path of [join(directory, "lock"), join(directory, "none", "lock")]) {
    await expect(withProcessLock(path, {}, () => "ran")).rejects.toMatchObject({
      code: "lock_unavailable",
    });
  }
});
