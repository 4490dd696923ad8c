import { eventually, proves } from "@postern/testing";
import { describe, expect, test } from "vitest";
import { dialects, initialize, openPipe, request } from "../pipe.ts";
import { answering, holding, serve } from "../tools.ts";

const refused = (code: number, word: string): object => ({ code, data: { code: word } });

proves(
  "PROTO-16",
  "an id in flight is refused and the first call goes on undisturbed",
  async () => {
    const held = holding();
    const pipe = openPipe(serve([held.binding]));
    const call = request("2026-07-28", 7, "tools/call", {
      name: "read_note",
      arguments: { name: "a" },
    });

    pipe.send(call, call);
    await pipe.answer(7);
    held.release();
    await eventually(() => pipe.answers(7).length === 2);

    expect(pipe.answers(7)).toMatchObject([
      { error: refused(-32600, "duplicate_id") },
      { result: { structuredContent: { text: "a" } } },
    ]);
    expect(held.started).toEqual(["a"]);
  },
);

test("a string id and the number it spells are two ids, and an answered id may be used again", async () => {
  const pipe = openPipe(serve([answering("x")]));

  pipe.send(request("2025-11-25", 1, "ping"), request("2025-11-25", "1", "ping"));
  await pipe.answer(1);
  pipe.send(request("2025-11-25", 1, "ping"));
  await pipe.end();

  expect(pipe.answers(1)).toMatchObject([{ result: {} }, { result: {} }]);
  expect(pipe.answers("1")).toMatchObject([{ result: {} }]);
});

proves("PROTO-16", "one request more than maxInFlight is refused, one fewer is not", async () => {
  const held = holding();
  const pipe = openPipe(serve([held.binding]), { maxInFlight: 2 });
  const call = (id: number): object =>
    request("2026-07-28", id, "tools/call", { name: "read_note", arguments: { name: "a" } });

  pipe.send(call(1), call(2), call(3));
  const third = await pipe.answer(3);
  await eventually(() => held.started.length === 2);
  held.release();
  await pipe.answer(1);
  pipe.send(call(4));
  await eventually(() => held.started.length === 3);
  held.release();
  await pipe.end();

  expect(third["error"]).toMatchObject({
    code: -32000,
    data: { code: "too_many_in_flight", maxInFlight: 2 },
  });
  expect(pipe.answers(4)).toMatchObject([{ result: { structuredContent: { text: "a" } } }]);
});

test.each([0, 1_025, 1.5])("maxInFlight %d is no option", async (maxInFlight) => {
  const { served } = openPipe(serve([answering("x")]), { maxInFlight });

  await expect(served).rejects.toMatchObject({ code: "invalid_option" });
});

describe.each(dialects)("under %s", (dialect) => {
  proves(
    "PROTO-08",
    "a cancelled call is aborted and never answered, and keeps its place until it ends",
    async () => {
      const held = holding();
      const pipe = openPipe(serve([held.binding]), { maxInFlight: 1 });
      if (dialect === "2025-11-25") {
        pipe.send(initialize);
        await pipe.answer("hello");
      }
      const params = { name: "read_note", arguments: { name: "a" } };
      pipe.send(request(dialect, 1, "tools/call", params));
      await eventually(() => held.started.length === 1);

      pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
      await eventually(() => held.aborted.length === 1);
      pipe.send(request(dialect, 2, "tools/call", params));
      const second = await pipe.answer(2);
      held.release();
      await pipe.end();

      expect(second["error"]).toMatchObject(refused(-32000, "too_many_in_flight"));
      expect(pipe.answers(1)).toEqual([]);
    },
  );
});

test("a cancellation of an unknown or malformed id, or of the handshake, changes nothing", async () => {
  const pipe = openPipe(serve([answering("x")]));
  const cancel = (requestId: unknown): object => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId },
  });

  pipe.send(cancel(9), cancel({}), initialize, cancel("hello"));

  expect((await pipe.answer("hello"))["result"]).toMatchObject({ protocolVersion: "2025-11-25" });
});

test("an open subscription is acknowledged, may be cancelled, and is closed at the end", async () => {
  const pipe = openPipe(serve([answering("x")]));
  const listen = (id: number): object =>
    request("2026-07-28", id, "subscriptions/listen", {
      notifications: { toolsListChanged: true },
    });

  pipe.send(listen(1), listen(2));
  await eventually(() => pipe.lines.length === 2);
  pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  pipe.send(request("2025-11-25", 1, "ping"));
  const end = await pipe.end();

  expect(pipe.lines[0]).toContain("notifications/subscriptions/acknowledged");
  expect(pipe.answers(1)).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  expect(pipe.answers(2)).toMatchObject([{ result: { resultType: "complete" } }]);
  expect(end.kind).toBe("end_of_input");
});
