import type { HttpGuard } from "@postern/protocol/http";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import { answering, holding } from "../server/tools.ts";
import { eventually } from "@postern/testing";
import { callOf, headersOf, initialize, mounted, open, request } from "./rig.ts";

const note = [answering("hello")];

proves("PROTO-20", "each step refuses before the next one looks", async () => {
  const looked: string[] = [];
  const guard: HttpGuard = async ({ method }) => {
    looked.push(method);
    return { ok: false, status: 403, code: "host_refused", message: "No.", headers: {} };
  };
  const open = mounted(note, { maxBodyBytes: 1_024 });
  const closed = mounted(note, { guard });

  const path = await open.app.inject({ method: "POST", url: "/other" });
  const method = await closed.app.inject({ method: "GET", url: "/mcp" });
  const refused = await closed.post("not json", { "content-type": "text/plain" });
  const type = await open.post("x".repeat(2_000), { "content-type": "text/plain" });
  const coded = await open.post("{}", { "content-encoding": "gzip" });
  const size = await open.post("x".repeat(2_000));
  const json = await open.post("not json");

  expect(path.statusCode).toBe(404);
  expect(path.json()).toMatchObject({ id: null, error: { data: { code: "unknown_path" } } });
  expect(method.statusCode).toBe(405);
  expect(method.headers["allow"]).toBe("POST");
  expect(method.json()).toMatchObject({
    id: null,
    error: { data: { code: "method_not_allowed" } },
  });
  expect(looked).toEqual(["POST"]);
  expect(refused).toMatchObject({
    status: 403,
    message: { error: { data: { code: "host_refused" } } },
  });
  expect(type).toMatchObject({
    status: 415,
    message: { error: { data: { code: "unsupported_media_type" } } },
  });
  expect(coded.status).toBe(415);
  expect(size).toMatchObject({
    status: 413,
    message: { id: null, error: { data: { code: "too_large", limitBytes: 1_024 } } },
  });
  expect(json).toMatchObject({
    status: 400,
    message: { id: null, error: { code: -32700, data: { code: "not_json" } } },
  });
});

proves("PROTO-20", "a refusal carries the guard's status and headers", async () => {
  const { post } = mounted(note);

  const answer = await post(initialize, { authorization: "" });

  expect(answer).toMatchObject({
    status: 401,
    headers: { "www-authenticate": "Bearer", "cache-control": "no-store" },
  });
  expect(answer.message).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32000, message: "No token.", data: { code: "unauthorized" } },
  });
});

proves(
  "PROTO-20",
  "a body of exactly the cap is served, one byte more is not, declared or not",
  async () => {
    const body = JSON.stringify(callOf("2025-11-25", 1, "a").body);
    const exact = mounted(note, { maxBodyBytes: 1_024 });
    const padded = body.padEnd(1_024, " ");

    const under = await exact.post(padded.slice(0, -1));
    const at = await exact.post(padded);
    const over = await exact.post(`${padded} `);
    const streamed = await open(exact, {});
    streamed.outgoing.write(padded);
    streamed.outgoing.write(" ");

    expect([under.status, at.status, over.status]).toEqual([200, 200, 413]);
    expect((await streamed.answered).statusCode).toBe(413);
  },
);

proves(
  "PROTO-20",
  "a fault of strict JSON or of the envelope is answered under its id",
  async () => {
    const { post } = mounted(note);

    const twice = await post('{"jsonrpc":"2.0","id":7,"method":"ping","method":"ping"}');
    const batch = await post("[]");
    const shape = await post('{"jsonrpc":"2.0","id":"a","method":5}');

    expect(twice).toMatchObject({
      status: 400,
      message: { id: 7, error: { code: -32600, data: { code: "duplicate_key" } } },
    });
    expect(batch).toMatchObject({
      status: 400,
      message: { id: null, error: { data: { code: "batch_not_supported" } } },
    });
    expect(shape).toMatchObject({
      status: 400,
      message: { id: "a", error: { data: { code: "invalid_envelope" } } },
    });
  },
);

proves(
  "PROTO-20",
  "a call without the scope of its tool is refused before it is dispatched",
  async () => {
    const held = holding();
    const { post } = mounted([held.binding], { requiredScope: (tool) => `may:${tool}` });
    const call = callOf("2026-07-28", 5, "a");

    const answer = await post(call.body, call.headers);
    const list = await post(
      request("2026-07-28", 6, "tools/list"),
      headersOf("2026-07-28", "tools/list"),
    );

    expect(answer).toMatchObject({
      status: 403,
      headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="may:read_note"' },
      message: {
        id: 5,
        error: { data: { code: "insufficient_scope", requiredScopes: ["may:read_note"] } },
      },
    });
    expect(held.started).toEqual([]);
    expect(list.status).toBe(200);
  },
);

proves(
  "PROTO-20",
  "the caps of requests in flight hold exactly, for a principal and for all",
  async () => {
    const held = holding();
    const { call, post, mount } = mounted([held.binding], {
      maxInFlight: 3,
      maxInFlightPerPrincipal: 2,
    });
    const carol = callOf("2025-11-25", 9, "c");

    const running = [call("2025-11-25", 1, "a"), call("2026-07-28", 2, "b")];
    await eventually(() => held.started.length === 2, { what: "two calls" });
    const third = await post(callOf("2025-11-25", 3, "x").body);
    const other = post(carol.body, { authorization: "Bearer bob" });
    await eventually(() => held.started.length === 3, { what: "three calls" });
    const fourth = await post(carol.body, { authorization: "Bearer carol" });
    held.release();

    expect(third).toMatchObject({
      status: 429,
      headers: { "retry-after": "1" },
      message: {
        id: 3,
        error: { data: { code: "too_many_in_flight", scope: "principal", maxInFlight: 2 } },
      },
    });
    expect(fourth).toMatchObject({
      status: 429,
      message: { error: { data: { scope: "server", maxInFlight: 3 } } },
    });
    expect((await other).status).toBe(200);
    expect(await Promise.all(running)).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: {} },
    ]);
    expect(mount.inFlight()).toBe(0);
  },
);

proves(
  "PROTO-20",
  "a refused body is read for 64 KiB and no further, and its sender sees the answer",
  async () => {
    const rig = mounted(note);
    const { outgoing, answered } = await open(rig, {
      authorization: "",
      "content-length": "50000000",
    });
    const closed = new Promise((resolve) => outgoing.on("close", resolve));
    outgoing.on("error", () => "cut while writing");

    outgoing.write("x".repeat(1_000));
    const answer = await answered;
    const text = await answer.text();
    const feeding = setInterval(() => outgoing.write("x".repeat(65_536)), 1);
    await closed;
    clearInterval(feeding);

    expect(answer.statusCode).toBe(401);
    expect(text).toContain("unauthorized");
    expect(outgoing.writableFinished).toBe(false);
  },
);
