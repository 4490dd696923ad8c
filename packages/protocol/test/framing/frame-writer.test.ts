import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { proves } from "@postern/testing";
import { expect, onTestFinished, test } from "vitest";
import { FrameWriter, type OutputFault } from "../../src/framing/index.ts";

/** An output whose reader takes one write each time it is told to. */
class HeldOutput extends Writable {
  readonly taken: Buffer[] = [];
  #release: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.taken.push(chunk);
    this.#release = done;
  }

  release(): void {
    this.#release?.();
  }
}

proves("PROTO-14", "each message is one line, in the order of the writes", async () => {
  const output = new PassThrough();
  const writer = new FrameWriter(output);
  const large = { fill: "é\n".repeat(100_000) };

  const writes = [large, { n: 2 }, { n: 3 }].map((message) => writer.write(message));
  const received = text(output);
  await Promise.all(writes);
  output.end();

  const lines = (await received).split("\n");
  expect(lines.map((line) => line && (JSON.parse(line) as unknown))).toEqual([
    large,
    { n: 2 },
    { n: 3 },
    "",
  ]);
});

proves("PROTO-17", "a write resolves only when its bytes were taken", async () => {
  const output = new HeldOutput();
  const writer = new FrameWriter(output);
  let resolved = false;

  const write = writer.write({ n: 1 }).then(() => (resolved = true));
  await new Promise(setImmediate);
  const early = resolved;
  output.release();
  await write;

  expect([early, resolved]).toEqual([false, true]);
});

proves("PROTO-17", "the queue is full at its cap and tells when it no longer is", async () => {
  const output = new HeldOutput();
  const writer = new FrameWriter(output, { maxQueuedBytes: 20 });
  const line = { n: 123 }; // Nine bytes and LF.

  const writes = [writer.write(line)];
  const underCap = writer.full;
  writes.push(writer.write(line));
  const atCap = writer.full;
  const room = writer.whenNotFull();
  output.release();
  await room;

  expect([underCap, atCap, writer.full]).toEqual([false, true, false]);
  output.release();
  await Promise.all(writes);
});

test("closing refuses new writes and waits for the queued ones", async () => {
  const output = new HeldOutput();
  const writer = new FrameWriter(output);

  const write = writer.write({ n: 1 });
  const closed = writer.close();
  const late = writer.write({ n: 2 });
  await expect(late).rejects.toMatchObject({ code: "output_closed" });
  output.release();
  await Promise.all([write, closed]);

  expect(output.taken.map(String)).toEqual(['{"n":1}\n']);
});

test("an output that ends after the writer was closed is no fault", async () => {
  const faults: OutputFault[] = [];
  const output = new PassThrough();
  const writer = new FrameWriter(output, { onFault: (fault) => faults.push(fault) });

  await writer.close();
  output.destroy(new Error("late"));
  await expect(once(output, "close")).rejects.toThrow("late");

  expect(faults).toEqual([]);
});

test("a slow reader that keeps reading is never called stalled", async () => {
  const faults: OutputFault[] = [];
  const output = new HeldOutput({ highWaterMark: 1 });
  const writer = new FrameWriter(output, {
    maxQueuedBytes: 1024,
    stallMs: 400,
    onFault: (fault) => faults.push(fault),
  });

  const write = writer.write({ fill: "x".repeat(10 * 64 * 1024) });
  const reading = setInterval(() => output.release(), 100);
  await write;
  clearInterval(reading);

  expect(faults).toEqual([]);
  expect(output.taken.length).toBe(11);
});

function startFlood(stallMs: number): ChildProcess & { readonly stderrText: Promise<string> } {
  const fixture = fileURLToPath(new URL("../fixtures/floods-frames.mjs", import.meta.url));
  const child = spawn(
    process.execPath,
    ["--conditions=@postern/source", fixture, String(stallMs)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return Object.assign(child, { stderrText: text(child.stderr as NodeJS.ReadableStream) });
}

proves(
  "PROTO-17",
  "a reader that stops at a full queue stalls the output, and every write says so",
  async () => {
    const child = startFlood(300);

    const report = await child.stderrText;

    expect(report).toMatch(/^fault output_stalled\nwritten \d{1,2} codes output_stalled\n$/);
  },
);

proves("PROTO-17", "a reader that is gone breaks the output, and every write says so", async () => {
  const child = startFlood(30_000);
  child.stdout?.once("data", () => child.stdout?.destroy());

  const report = await child.stderrText;

  expect(report).toMatch(/^fault output_broken\nwritten \d{1,2} codes output_broken\n$/);
});

proves("PROTO-17", "a reader that comes back before the limit gets everything", async () => {
  const child = startFlood(5000);
  await once(child.stdout as NodeJS.ReadableStream, "readable");

  const received = await text(child.stdout as NodeJS.ReadableStream);

  expect(await child.stderrText).toBe("written 200 codes \n");
  expect(received.split("\n").length).toBe(201);
});
