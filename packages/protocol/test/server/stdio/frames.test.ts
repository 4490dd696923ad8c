import * as fc from "fast-check";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import { openPipe } from "../pipe.ts";
import { answering, serve } from "../tools.ts";

proves(
  ["PROTO-14", "PROTO-15"],
  "each bad line gets its one answer and the good ones go on",
  async () => {
    const pipe = openPipe(serve([answering("x")]), { maxFrameBytes: 1_000 });
    pipe.input.write("hello\n");
    pipe.input.write("\r\n \n");
    pipe.input.write('[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n');
    pipe.input.write('{"jsonrpc":"2.0","id":2,"id":3,"method":"ping"}\n');
    pipe.input.write(
      '{"jsonrpc":"2.0","id":4,"method":"ping","Method":"ping","params":{"a":1,"a":2}}\n',
    );
    pipe.input.write('{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n');
    pipe.input.write(`{"jsonrpc":"2.0","id":5,"method":"${"x".repeat(1_000)}"}\n`);
    pipe.input.write('{"jsonrpc":"2.0","id":6,"method":"ping"}\r\n');

    await pipe.end();

    const codes = pipe.lines
      .map((line) => JSON.parse(line))
      .map(({ id, error, result }) => [id, error?.code ?? result, error?.data?.code]);
    expect(codes).toHaveLength(7);
    expect(codes).toContainEqual([null, -32700, "not_json"]);
    expect(codes).toContainEqual([4, -32600, "duplicate_key"]);
    expect(codes).toContainEqual([null, -32700, "too_large"]);
    expect(codes).toContainEqual([6, {}, undefined]);
    expect(codes.filter(([id, code]) => id === null && code === -32600)).toHaveLength(3);
  },
);

proves("PROTO-15", "a line may be exactly as long as the limit", async () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const exact = openPipe(serve([answering("x")]), { maxFrameBytes: ping.length });
  const under = openPipe(serve([answering("x")]), { maxFrameBytes: ping.length - 1 });
  exact.input.write(`${ping}\n`);
  under.input.write(`${ping}\n`);

  await exact.end();
  await under.end();

  expect(exact.answers(1)).toMatchObject([{ result: {} }]);
  expect(under.answers(null)).toMatchObject([
    { error: { code: -32700, data: { code: "too_large", limitBytes: ping.length - 1 } } },
  ]);
});

proves("PROTO-15", "responses nobody awaits are counted and not answered", async () => {
  const pipe = openPipe(serve([answering("x")]));
  pipe.send({ jsonrpc: "2.0", id: 1, result: {} });
  pipe.send({ jsonrpc: "2.0", id: 2, error: { code: 1, message: "no" } });

  await pipe.end();

  expect(pipe.lines).toEqual([]);
  expect(pipe.log).toMatchObject([{ event: "serving_ended", unawaitedResponses: 2 }]);
});

const rows = [
  (id: number) => ({
    line: `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
    answer: [id, undefined],
  }),
  (id: number) => ({ line: `{"jsonrpc":"2.0","id":${id},"method":"x/y"}`, answer: [id, -32601] }),
  (id: number) => ({ line: `{"jsonrpc":"2.0","id":${id},"id":${id}}`, answer: [null, -32600] }),
  (id: number) => ({ line: `{"jsonrpc":"2.0","id":${id},"x":1,"x":1}`, answer: [id, -32600] }),
  (id: number) => ({ line: `{"jsonrpc":"2.0","id":${id},"result":{}}`, answer: undefined }),
  (id: number) => ({ line: `{"jsonrpc":"2.0","method":"note-${id}"}`, answer: undefined }),
  (id: number) => ({ line: `{"id":${id}`, answer: [null, -32700] }),
  (id: number) => ({ line: "y".repeat(500 + id), answer: [null, -32700] }),
  () => ({ line: "\t \r", answer: undefined }),
];

proves(
  ["PROTO-14", "PROTO-15"],
  "any lines in any order and chunking get exactly the answers each is due",
  async () => {
    const kinds = fc.array(fc.integer({ min: 0, max: rows.length - 1 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(kinds, fc.integer({ min: 1, max: 700 }), async (picked, chunkBytes) => {
        const lines = picked.map((kind, id) => rows[kind]?.(id)).filter((row) => row !== undefined);
        const bytes = Buffer.from(lines.map(({ line }) => `${line}\n`).join(""));
        const pipe = openPipe(serve([answering("x")]), { maxFrameBytes: 499 });

        for (let at = 0; at < bytes.length; at += chunkBytes) {
          pipe.input.write(bytes.subarray(at, at + chunkBytes));
        }
        await pipe.end();

        const due = lines.map(({ answer }) => answer).filter((answer) => answer !== undefined);
        const got = pipe.lines
          .map((line) => JSON.parse(line))
          .map(({ id, error }) => [id, error?.code]);
        expect(got.map(String).sort()).toEqual(due.map(String).sort());
      }),
      { numRuns: 50 },
    );
  },
);
