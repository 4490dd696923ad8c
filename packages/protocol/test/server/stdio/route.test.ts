import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { initialize, openPipe, request } from "../pipe.ts";
import { answering, serve } from "../tools.ts";

const refused = (code: number, word: string): object => ({ code, data: { code: word } });

proves("PROTO-09", "a handshake and a stateless request share one pipe", async () => {
  const pipe = openPipe(serve([answering("x")]));
  pipe.send(
    request("2026-07-28", 1, "server/discover"),
    initialize,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    request("2025-11-25", 2, "tools/call", { name: "read_note", arguments: { name: "a" } }),
    request("2026-07-28", 3, "tools/call", { name: "read_note", arguments: { name: "a" } }),
  );

  const end = await pipe.end();

  expect(pipe.answers(1)).toMatchObject([{ result: { supportedVersions: ["2026-07-28"] } }]);
  expect(pipe.answers("hello")).toEqual([
    {
      jsonrpc: "2.0",
      id: "hello",
      result: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: "notes", version: "1.2.3" },
      },
    },
  ]);
  expect(pipe.answers(2)).toMatchObject([{ result: { structuredContent: { text: "x" } } }]);
  expect(pipe.answers(3)).toMatchObject([{ result: { resultType: "complete" } }]);
  expect(end.kind).toBe("end_of_input");
});

proves("PROTO-09", "a request of another revision is refused with the supported ones", async () => {
  const pipe = openPipe(serve([answering("x")]));
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2099-01-01",
    "io.modelcontextprotocol/clientCapabilities": {},
  };

  pipe.send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } });

  expect((await pipe.answer(1))["error"]).toEqual({
    code: -32022,
    message: "Unsupported protocol version",
    data: {
      code: "unsupported_revision",
      supported: ["2026-07-28", "2025-11-25"],
      requested: "2099-01-01",
    },
  });
});

proves("PROTO-09", "a handshake for another revision is offered the one there is", async () => {
  const pipe = openPipe(serve([answering("x")]));
  const params = { ...initialize.params, protocolVersion: "2024-11-05" };

  pipe.send({ ...initialize, params });

  expect((await pipe.answer("hello"))["result"]).toMatchObject({ protocolVersion: "2025-11-25" });
});

proves("PROTO-09", "a known method before initialize is -32600 not_initialized", async () => {
  const pipe = openPipe(serve([answering("x")]));

  pipe.send(request("2025-11-25", 1, "tools/list"), request("2025-11-25", 2, "tools/call"));

  expect((await pipe.answer(1))["error"]).toMatchObject(refused(-32600, "not_initialized"));
  expect((await pipe.answer(2))["error"]).toMatchObject(refused(-32600, "not_initialized"));
});

proves("PROTO-09", "an unknown method is -32601, before and after the handshake", async () => {
  const pipe = openPipe(serve([answering("x")]));

  pipe.send(request("2025-11-25", 1, "no/such"), request("2025-11-25", 2, "resources/list"));
  pipe.send(initialize, request("2025-11-25", 3, "no/such"), request("2026-07-28", 4, "ping"));

  for (const id of [1, 2, 3, 4]) {
    expect((await pipe.answer(id))["error"]).toMatchObject(refused(-32601, "method_not_found"));
  }
});

test("a ping needs no handshake, and does not take the place of one", async () => {
  const pipe = openPipe(serve([answering("x")]));

  pipe.send(request("2025-11-25", 1, "ping"), request("2025-11-25", 2, "tools/list"));

  expect((await pipe.answer(1))["result"]).toEqual({});
  expect((await pipe.answer(2))["error"]).toMatchObject(refused(-32600, "not_initialized"));
});

test.each([
  ["initialize", "2025-11-25", { protocolVersion: 7 }, "/params/protocolVersion"],
  ["tools/list", "2025-11-25", { cursor: 5 }, "/params/cursor"],
  ["tools/call", "2025-11-25", { name: "read_note", arguments: [] }, "/params/arguments"],
  ["tools/call", "2026-07-28", {}, "/params/name"],
] as const)("malformed params of %s under %s are -32602", async (method, dialect, params, path) => {
  const pipe = openPipe(serve([answering("x")]));
  pipe.send(initialize);
  await pipe.answer("hello");

  pipe.send(request(dialect, 1, method, params));

  expect((await pipe.answer(1))["error"]).toMatchObject({
    code: -32602,
    data: { code: "invalid_params", path },
  });
});
