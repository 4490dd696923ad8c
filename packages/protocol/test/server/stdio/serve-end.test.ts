import { PassThrough, Writable } from "node:stream";
import { bindTool, serveStdio, type ServeEnd } from "@postern/protocol/server";
import { eventually, proves } from "@postern/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPipe, request } from "../pipe.ts";
import { answering, holding, readNote, serve } from "../tools.ts";

const call = request("2026-07-28", 1, "tools/call", {
  name: "read_note",
  arguments: { name: "a" },
});

/** Long enough for an abort that must not come. */
const silence = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

proves("PROTO-17", "a call in flight when the input ends still gets its answer", async () => {
  const held = holding();
  const pipe = openPipe(serve([held.binding]));
  pipe.send(call);

  const ended = pipe.end();
  await eventually(() => held.started.length === 1);
  await silence();
  const aborted = [...held.aborted];
  held.release();
  const end = await ended;

  expect(aborted).toEqual([]);
  expect(pipe.answers(1)).toHaveLength(1);
  expect(end).toEqual({ kind: "end_of_input", detail: "The input ended." } satisfies ServeEnd);
});

proves(
  "PROTO-17",
  "a call that does not end in five seconds is aborted and not answered",
  async () => {
    const aborted: unknown[] = [];
    const binding = bindTool(readNote, async (_args, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      aborted.push(signal.aborted);
      return { text: "late" };
    });
    const pipe = openPipe(serve([binding]));
    pipe.send(call);

    const end = await pipe.end();

    expect(aborted).toEqual([true]);
    expect(pipe.lines).toEqual([]);
    expect(end.kind).toBe("end_of_input");
  },
);

proves(
  "PROTO-17",
  "an input that ends inside a line is truncated_input, and earlier calls are answered",
  async () => {
    const pipe = openPipe(serve([answering("x")]));
    pipe.send(call);
    pipe.input.write('{"jsonrpc":"2.0","id":2');

    const end = await pipe.end();

    expect(end.kind).toBe("truncated_input");
    expect(pipe.answers(1)).toHaveLength(1);
    expect(pipe.lines).toHaveLength(1);
  },
);

proves("PROTO-17", "a broken output ends serving and aborts what runs", async () => {
  const held = holding();
  const pipe = openPipe(serve([held.binding]));
  pipe.send(call);
  await eventually(() => held.started.length === 1);

  pipe.output.destroy();
  await eventually(() => held.aborted.length === 1);
  held.release();

  expect(await pipe.served).toMatchObject({ kind: "output_broken" });
});

proves(
  "PROTO-17",
  "an endless line is discarded until the flood limit, then serving ends",
  async () => {
    const held = holding();
    const pipe = openPipe(serve([held.binding]));
    pipe.send(call);
    await eventually(() => held.started.length === 1);
    held.release();
    const chunk = Buffer.alloc(8 * 1024 * 1024, "x");

    for (
      let written = 0;
      written <= 256 * 1024 * 1024 && !pipe.input.destroyed;
      written += chunk.length
    ) {
      await new Promise<void>((resolve) => pipe.input.write(chunk, () => resolve()));
    }

    expect((await pipe.served).kind).toBe("frame_flood");
    expect(pipe.answers(null)).toMatchObject([
      { error: { code: -32700, data: { code: "too_large" } } },
    ]);
  },
);

proves(
  "PROTO-17",
  "an output nobody reads stops the reading of input, and after 30 seconds ends serving",
  async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const input = new PassThrough();
    const output = new Writable({ write: () => undefined });
    const served = serveStdio(serve([answering("x")]), { input, output, log: () => undefined });

    const chunk = "x\n".repeat(32_768);
    for (let written = 0; written < 20; written += 1) input.write(chunk);
    await new Promise((resolve) => setImmediate(resolve));
    const unread = input.readableLength + input.writableLength;
    await vi.advanceTimersByTimeAsync(30_000);

    expect(unread).toBeGreaterThan(10 * chunk.length);
    expect(await served).toMatchObject({ kind: "output_stalled" });
  },
);

proves("PROTO-08", "closing while the last calls finish does not wait for them", async () => {
  const held = holding();
  const closing = new AbortController();
  const pipe = openPipe(serve([held.binding]), { signal: closing.signal });
  pipe.send(call);
  pipe.input.end();
  await eventually(() => held.started.length === 1);
  await silence();

  closing.abort();
  const aborted = [...held.aborted];
  held.release();

  expect(aborted).toEqual(["a"]);
  expect(await pipe.served).toMatchObject({ kind: "closed" });
  expect(pipe.lines).toEqual([]);
});

proves("PROTO-08", "closing aborts what runs and answers nothing more", async () => {
  const held = holding();
  const closing = new AbortController();
  const pipe = openPipe(serve([held.binding]), { signal: closing.signal });
  pipe.send(call);
  await eventually(() => held.started.length === 1);

  closing.abort();
  await eventually(() => held.aborted.length === 1);
  held.release();

  expect(await pipe.served).toMatchObject({ kind: "closed" });
  expect(pipe.lines).toEqual([]);
});

test("a handler that ignores its abort does not keep serving open", async () => {
  const closing = new AbortController();
  const held = holding();
  const pipe = openPipe(serve([held.binding]), { signal: closing.signal });
  pipe.send(call);
  await eventually(() => held.started.length === 1);

  closing.abort();

  expect(await pipe.served).toMatchObject({ kind: "closed" });
  expect(pipe.log).toMatchObject([{ event: "serving_ended", unsettledCalls: 1 }]);
  held.release();
});
