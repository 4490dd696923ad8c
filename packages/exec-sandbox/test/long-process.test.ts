import { proves, eventually } from "@postern/testing";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startProcess, type Command, type LongProcess, type StartOptions } from "../src/index.ts";
import { fixtureCommand, newTag, shellCommand, tagged } from "./programs.ts";

const stopBy = [
  { step: "end_stdin", graceMs: 2_000 },
  { step: "TERM", graceMs: 200 },
  { step: "KILL", graceMs: 1_000 },
] as const;

async function started(command: Command, options?: Partial<StartOptions>): Promise<LongProcess> {
  const result = await startProcess(command, { stopBy, ...options });
  if (result.kind === "not_started") throw new Error(result.code);
  onTestFinished(async () => void (await result.process.close()));
  return result.process;
}

async function firstText(process: LongProcess): Promise<string> {
  return await new Promise((resolve) => {
    process.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString()));
  });
}

test.each([
  { stopBy: [{ step: "TERM", graceMs: -1 }] as const },
  { stopBy: [{ step: "TERM", graceMs: 60_001 }] as const },
  { stopBy: [], stderrCapBytes: 1_023 },
])("an option outside its bounds is refused: %o", async (options) => {
  const result = await startProcess(await shellCommand("exit"), options);

  expect(result).toEqual({ kind: "not_started", code: "invalid_argument" });
});

test("it talks over its pipes", async () => {
  const process = await started(await fixtureCommand("echoes"));

  process.stdin.write("hello\n");

  expect(await firstText(process)).toBe("hello\n");
});

proves("EXEC-22", "a program that ends at the end of its input gets no signal", async () => {
  const process = await started(await fixtureCommand("echoes"));
  process.stdin.write("x");
  await firstText(process);

  const end = await process.close();

  expect(end).toEqual({ killedWith: "none", survivors: [], survivorCheck: "tree" });
  expect(await process.exited).toEqual({ exitCode: 0, signal: null });
  expect(process.stderrTail().tail).toBe("input ended\n");
});

proves(
  "EXEC-22",
  "a stubborn tree goes through every step, and closing twice is closing once",
  async () => {
    const tag = newTag();
    const process = await started(await fixtureCommand("leaves-group", tag, "stay"), {
      stopBy: [
        { step: "end_stdin", graceMs: 50 },
        { step: "TERM", graceMs: 50 },
      ],
    });
    await firstText(process);

    const [first, second] = await Promise.all([process.close(), process.close()]);

    expect(first).toEqual({ killedWith: "KILL", survivors: [], survivorCheck: "tree" });
    expect(second).toBe(first);
    expect(tagged(tag)).toEqual([]);
  },
);

test("a kill ends a tree at once and proves it", async () => {
  const tag = newTag();
  const process = await started(await fixtureCommand("leaves-group", tag, "stay"));
  await firstText(process);

  const end = await process.kill();

  expect(end).toEqual({ killedWith: "KILL", survivors: [], survivorCheck: "tree" });
  expect(tagged(tag)).toEqual([]);
  expect(await process.close()).toBe(end);
});

test("a kill cuts the grace of a close short, and both tell the same end", async () => {
  const process = await started(await fixtureCommand("ignores-sigterm"), {
    stopBy: [{ step: "TERM", graceMs: 60_000 }],
  });
  await firstText(process);
  const closing = process.close();

  const end = await process.kill();

  expect(end).toEqual({ killedWith: "KILL", survivors: [], survivorCheck: "tree" });
  expect(await closing).toBe(end);
});

test("a kill after the end signals nothing and tells that end", async () => {
  const process = await started(await fixtureCommand("echoes"));
  const closed = await process.close();

  expect(await process.kill()).toBe(closed);
  expect(closed.killedWith).toBe("none");
});

proves("EXEC-22", "what a program leaves behind when it ends by itself is ended", async () => {
  const tag = newTag();
  const process = await started(
    await shellCommand('sleep "$0" & echo last words >&2; exit 5', tag),
  );

  expect(await process.exited).toEqual({ exitCode: 5, signal: null });

  await eventually(() => tagged(tag).length === 0, { timeoutMs: 3_000 });
  await process.close();
  expect(process.stderrTail()).toMatchObject({ head: "", tail: "last words\n" });
});

test("aborting the signal closes it", async () => {
  const abort = new AbortController();
  const process = await started(await fixtureCommand("forever"), {
    stopBy: [],
    signal: abort.signal,
  });
  await firstText(process);

  abort.abort();

  expect(await process.exited).toEqual({ exitCode: null, signal: "SIGKILL" });
});

test("the error output is read all along and its end kept", async () => {
  const script =
    'i=0; while [ $i -lt 3000 ]; do echo "line $i" >&2; i=$((i+1)); done; echo ok; cat';
  const process = await started(await shellCommand(script), { stderrCapBytes: 1_024 });
  await firstText(process);

  await process.close();

  const tail = process.stderrTail();
  expect(tail).toMatchObject({ headBytes: 0, tailBytes: 1_024, totalBytes: 28_890 });
  expect(tail.tail).toMatch(/line 2998\nline 2999\n$/);
});

test("writing to a program that is gone does not end this process", async () => {
  const process = await started(await shellCommand("exit"));
  await process.exited;

  process.stdin.write("x".repeat(100_000));

  expect((await process.close()).killedWith).toBe("none");
});

for (const death of ["SIGKILL", "exit", "throw"]) {
  proves("EXEC-22", `its tree ends also when the starting process dies by ${death}`, async () => {
    const tag = newTag();
    const host = fileURLToPath(new URL("fixtures/hosts-process.mjs", import.meta.url));
    const args = ["--conditions=@postern/source", host, death, tag];

    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
    const seen = await new Promise((resolve) => child.stdout.once("data", resolve));

    expect(String(seen)).toBe("stubborn\n");
    await eventually(() => tagged(tag).length === 0, { what: "the end of the tree" });
  });
}
