import { bindTool } from "@postern/protocol/server";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import { initialize, openPipe, request } from "./pipe.ts";
import { answering, dropNote, serve, writeNote } from "./tools.ts";

const bindings = [
  answering("x"),
  bindTool(writeNote, async (_args, { requestId }) => ({ requestId })),
  bindTool(dropNote, async ({ requestId }) => ({ requestId })),
];

const readNoteListed =
  '{"name":"read_note","title":"Read a note","description":"Returns a note. Use it to read one. It changes nothing, and never fails by itself.","inputSchema":{"type":"object","properties":{"name":{"type":"string","description":"Which note"},"lines":{"default":10,"description":"How many lines","type":"integer","minimum":1,"maximum":100},"where":{"description":"Words it holds","maxItems":3,"type":"array","items":{"type":"object","properties":{"word":{"type":"string","description":"A word"}},"required":["word"],"additionalProperties":false}}},"required":["name"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"text":{"type":"string","description":"The note"},"error":{"type":"object","required":["code","message"]}}},"annotations":{"readOnlyHint":true,"destructiveHint":false,"openWorldHint":false}}';

proves(
  ["PROTO-09", "PROTO-02"],
  "tools/list is the same bytes at both revisions, plus what 2026-07-28 adds",
  async () => {
    const pipe = openPipe(serve([bindings[0] ?? answering("")]));
    pipe.send(
      initialize,
      request("2025-11-25", 1, "tools/list"),
      request("2026-07-28", 2, "tools/list"),
    );
    await pipe.answer(1);
    await pipe.answer(2);

    await pipe.end();

    expect(pipe.lines).toContain(`{"result":{"tools":[${readNoteListed}]},"jsonrpc":"2.0","id":1}`);
    expect(pipe.lines).toContain(
      `{"result":{"tools":[${readNoteListed}],"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"notes","version":"1.2.3"}}},"jsonrpc":"2.0","id":2}`,
    );
  },
);

proves("PROTO-02", "the effect alone decides the hints of a listed tool", async () => {
  const pipe = openPipe(serve(bindings));
  pipe.send(request("2026-07-28", 1, "tools/list"));

  const { result } = await pipe.answer(1);

  expect(result).toMatchObject({
    tools: [
      { name: "read_note", annotations: { readOnlyHint: true, destructiveHint: false } },
      {
        name: "write_note",
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      },
      {
        name: "drop_note",
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      },
    ],
  });
});

proves("PROTO-07", "tools of a disabled effect are unlisted", async () => {
  const pipe = openPipe(serve(bindings, { enabledEffects: () => new Set(["read"]) }));
  pipe.send(request("2026-07-28", 1, "tools/list"));

  const { tools } = (await pipe.answer(1))["result"] as { tools: { name: string }[] };

  expect(tools.map(({ name }) => name)).toEqual(["read_note"]);
});
