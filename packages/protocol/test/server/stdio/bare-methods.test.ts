import { PassThrough, Writable } from "node:stream";
import { ToolError } from "@postern/protocol";
import { bindTool, serveStdio, type ToolBinding } from "@postern/protocol/server";
import { eventually, proves } from "@postern/testing";
import { expect } from "vitest";
import { initialize, openPipe, request } from "../pipe.ts";
import { answering, dropNote, holding, readNote, serve, writeNote } from "../tools.ts";

function openBarePipe(
  binding: ToolBinding,
  effects: ("read" | "write" | "destroy")[] = ["read", "write"],
) {
  return openPipe(serve([binding], { enabledEffects: () => new Set(effects) }), {
    bareMethods: new Map([[binding.contract.name, binding]]),
  });
}

const bare = (id: number, method: string, params?: object): object => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

proves(
  "PROTO-19",
  "a bare tool name runs without a handshake and its result is the output",
  async () => {
    const pipe = openBarePipe(answering("hi"));

    pipe.send(bare(1, "read_note", { name: "a" }));

    expect(await pipe.answer(1)).toEqual({ jsonrpc: "2.0", id: 1, result: { text: "hi" } });
  },
);

proves("PROTO-19", "absent params are an empty object", async () => {
  const pipe = openBarePipe(bindTool(writeNote, async (_args, { requestId }) => ({ requestId })));

  pipe.send(bare(1, "write_note"));

  expect((await pipe.answer(1))["result"]).toEqual({ requestId: expect.any(String) });
});

proves("PROTO-19", "bad arguments are -32602 with the issues", async () => {
  const pipe = openBarePipe(answering("hi"));

  pipe.send(bare(1, "read_note", { nmae: "a" }));

  expect((await pipe.answer(1))["error"]).toMatchObject({
    code: -32602,
    data: {
      code: "invalid_arguments",
      issues: [
        { path: "/name", problem: "Required." },
        { path: "/nmae", nearestKey: "name" },
      ],
    },
  });
});

proves("PROTO-19", "params that are no object are -32602, as bad arguments are", async () => {
  const pipe = openBarePipe(answering("hi"));

  pipe.send({ jsonrpc: "2.0", id: 1, method: "read_note", params: [] });

  expect((await pipe.answer(1))["error"]).toMatchObject({
    code: -32602,
    data: { code: "invalid_arguments" },
  });
});

proves(
  "PROTO-19",
  "an expected failure is -32000 with its own code, a foreign one -32603",
  async () => {
    const failures = [
      new ToolError("note_not_found", 'Note not found: "a".', { data: { name: "a" } }),
      new Error("x"),
    ];
    const binding = bindTool(readNote, async () => {
      throw failures.shift() ?? new Error("none left");
    });
    const pipe = openBarePipe(binding);

    pipe.send(bare(1, "read_note", { name: "a" }), bare(2, "read_note", { name: "a" }));

    expect((await pipe.answer(1))["error"]).toEqual({
      code: -32000,
      message: 'Note not found: "a".',
      data: { code: "note_not_found", name: "a" },
    });
    expect((await pipe.answer(2))["error"]).toMatchObject({
      code: -32603,
      data: { code: "internal_error" },
    });
  },
);

proves("PROTO-19", "a disabled tool answers effect_not_enabled and does not run", async () => {
  let ran = false;
  const binding = bindTool(dropNote, async ({ requestId }) => {
    ran = true;
    return { requestId };
  });
  const pipe = openBarePipe(binding);

  pipe.send(bare(1, "drop_note"));

  expect((await pipe.answer(1))["error"]).toMatchObject({
    code: -32000,
    data: { code: "effect_not_enabled", effect: "destroy" },
  });
  expect(ran).toBe(false);
});

proves("PROTO-19", "bare calls run one at a time, in order", async () => {
  const held = holding();
  const pipe = openBarePipe(held.binding);

  pipe.send(bare(1, "read_note", { name: "a" }), bare(2, "read_note", { name: "b" }));
  await eventually(() => held.started.length === 1);
  pipe.send(bare(3, "ping"));
  await pipe.answer(3);
  const startedBefore = [...held.started];
  held.release();
  await eventually(() => held.started.length === 2);
  held.release();
  await pipe.end();

  expect(startedBefore).toEqual(["a"]);
  expect(held.started).toEqual(["a", "b"]);
  expect(pipe.lines.map((line) => JSON.parse(line).id)).toEqual([3, 1, 2]);
});

proves("PROTO-19", "a bare call without an id is logged and not run", async () => {
  const held = holding();
  const pipe = openBarePipe(held.binding);

  pipe.send({ jsonrpc: "2.0", method: "read_note", params: { name: "a" } });
  await pipe.end();

  expect(held.started).toEqual([]);
  expect(pipe.lines).toEqual([]);
  expect(pipe.log[0]).toEqual({
    level: "warn",
    event: "bare_call_without_id",
    method: "read_note",
  });
});

proves(
  ["PROTO-19", "PROTO-16"],
  "a bare id in flight is not reusable, and a cancelled bare call is not answered",
  async () => {
    const held = holding();
    const pipe = openBarePipe(held.binding);
    pipe.send(bare(1, "read_note", { name: "a" }), bare(2, "read_note", { name: "b" }));
    await eventually(() => held.started.length === 1);

    pipe.send(bare(1, "read_note", { name: "c" }));
    await pipe.answer(1);
    pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    pipe.send(bare(3, "ping"));
    await pipe.answer(3);
    held.release();
    await pipe.end();

    expect(pipe.answers(1)).toMatchObject([
      { error: { code: -32600, data: { code: "duplicate_id" } } },
      { result: { text: "a" } },
    ]);
    expect(pipe.answers(2)).toEqual([]);
    expect(held.started).toEqual(["a"]);
  },
);

proves(["PROTO-19", "PROTO-09"], "bare calls and both revisions share one pipe", async () => {
  const pipe = openBarePipe(answering("hi"));
  const params = { name: "read_note", arguments: { name: "a" } };

  pipe.send(
    bare(1, "read_note", { name: "a" }),
    initialize,
    request("2025-11-25", 2, "tools/call", params),
    request("2026-07-28", 3, "tools/call", params),
    bare(4, "read_note", { name: "a" }),
    request("2026-07-28", 5, "read_note", { name: "a" }),
  );
  await pipe.end();

  expect(pipe.answers(1)).toMatchObject([{ result: { text: "hi" } }]);
  expect(pipe.answers(2)).toMatchObject([{ result: { structuredContent: { text: "hi" } } }]);
  expect(pipe.answers(3)).toMatchObject([{ result: { structuredContent: { text: "hi" } } }]);
  expect(pipe.answers(4)).toMatchObject([{ result: { text: "hi" } }]);
  expect(pipe.answers(5)).toMatchObject([{ error: { code: -32601 } }]);
});

proves("PROTO-19", "without bareMethods a tool name is an unknown method", async () => {
  const pipe = openPipe(serve([answering("x")]));

  pipe.send(bare(1, "read_note", { name: "a" }));

  expect((await pipe.answer(1))["error"]).toMatchObject({ code: -32601 });
});

proves(
  "PROTO-19",
  "no bare call starts while the peer is behind, and each is answered",
  async () => {
    let runs = 0;
    const megabyte = "x".repeat(1_048_576);
    const binding = bindTool(readNote, async () => {
      runs += 1;
      return { text: megabyte };
    });
    const input = new PassThrough();
    const written: Buffer[] = [];
    let resume: (() => void) | undefined;
    let isRead = false;
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk);
        if (isRead) done();
        else resume = done;
      },
    });
    const served = serveStdio(serve([binding], { strictOutput: false }), {
      input,
      output,
      bareMethods: new Map([["read_note", binding]]),
      log: () => undefined,
    });
    for (let id = 1; id <= 40; id += 1) {
      input.write(`${JSON.stringify(bare(id, "read_note", { name: "a" }))}\n`);
    }

    await eventually(() => runs >= 16);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(runs).toBeLessThanOrEqual(18);
    isRead = true;
    resume?.();
    input.end();
    await served;

    expect(Buffer.concat(written).toString().split("\n")).toHaveLength(41);
  },
);
