import { bindTool } from "@postern/protocol/server";
import { eventually, proves } from "@postern/testing";
import { expect, test } from "vitest";
import { dialects } from "../server/pipe.ts";
import { answering, holding, readNote } from "../server/tools.ts";
import { callOf, headersOf, initialize, messageOf, mounted, open, request } from "./rig.ts";

for (const dialect of dialects) {
  proves("PROTO-09", `a tool is listed and called over HTTP at ${dialect}`, async () => {
    const seen: unknown[] = [];
    const tool = bindTool(readNote, async ({ name }, { principal, params, revision }) => {
      seen.push({ principal, params, revision });
      return { text: name };
    });
    const { post, call } = mounted([tool], { path: "/of/:id/mcp" });

    const list = await post(request(dialect, 1, "tools/list"), headersOf(dialect, "tools/list"));
    const answer = await call(dialect, 2, "blue");

    expect(list.message).toMatchObject({ id: 1, result: { tools: [{ name: "read_note" }] } });
    expect(answer).toMatchObject({ id: 2, result: { structuredContent: { text: "blue" } } });
    expect(seen).toEqual([
      {
        principal: { subject: "alice", scopes: ["read"] },
        params: { id: "blue" },
        revision: dialect,
      },
    ]);
  });
}

proves("PROTO-09", "a handshake works, and needs no session", async () => {
  const { post } = mounted([answering("x")]);

  const answer = await post(initialize);
  const ready = await post({ jsonrpc: "2.0", method: "notifications/initialized" });

  expect(answer.message).toMatchObject({ id: "hello", result: { protocolVersion: "2025-11-25" } });
  expect(answer.headers).not.toHaveProperty("mcp-session-id");
  expect(ready.status).toBe(202);
});

proves(
  "PROTO-09",
  "a request of another revision is refused with those that are served",
  async () => {
    const { post } = mounted([answering("x")]);
    const unknown = { "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    const call = callOf("2026-07-28", 3, "a", unknown);

    const old = await post(request("2025-11-25", 1, "tools/list"), {
      "mcp-protocol-version": "2025-03-26",
    });
    const future = await post(call.body, { ...call.headers, "mcp-protocol-version": "2099-01-01" });
    const torn = await post(call.body, call.headers);

    const refusal = (supported: string[]): object => ({ code: -32022, data: { supported } });
    expect(old).toMatchObject({
      status: 400,
      message: { id: 1, error: refusal(["2026-07-28", "2025-11-25"]) },
    });
    expect(future).toMatchObject({
      status: 400,
      message: { id: 3, error: refusal(["2026-07-28"]) },
    });
    expect(torn).toMatchObject({ status: 400, message: { id: 3, error: { code: -32020 } } });
  },
);

proves("PROTO-08", "a lost connection aborts a call under 2026-07-28", async () => {
  const held = holding();
  const rig = mounted([held.binding]);
  const { body, headers } = callOf("2026-07-28", 1, "a");
  const { outgoing } = await open(rig, headers);
  outgoing.end(JSON.stringify(body));
  await eventually(() => held.started.length === 1, { what: "the call" });

  outgoing.destroy();

  await eventually(() => held.aborted.length === 1, { what: "the abort" });
  await eventually(() => rig.mount.inFlight() === 0, { what: "the end of serving" });
  held.release();
  expect(held.aborted).toEqual(["a"]);
});

proves("PROTO-08", "a lost connection cancels nothing under 2025-11-25", async () => {
  const held = holding();
  const rig = mounted([held.binding]);
  const { body, headers } = callOf("2025-11-25", 1, "a");
  const { outgoing, answered } = await open(rig, headers);
  outgoing.end(JSON.stringify(body));
  const gone = new Promise((resolve) =>
    rig.app.server.once("connection", (socket) => socket.once("close", resolve)),
  );
  await answered;

  outgoing.destroy();
  const probe = await open(rig, { authorization: "" });
  probe.outgoing.end("{}");
  await probe.answered;
  probe.outgoing.destroy();
  await gone;

  expect(held.aborted).toEqual([]);
  expect(rig.mount.inFlight()).toBe(1);
  held.release();
  await eventually(() => rig.mount.inFlight() === 0, { what: "the call's own end" });
});

proves(
  ["PROTO-20", "PROTO-08"],
  "a draining mount refuses calls, lets running ones finish and stops the rest",
  async () => {
    const held = holding();
    const { call, post, mount } = mounted([held.binding]);
    const kept = call("2026-07-28", 1, "kept");
    await eventually(() => held.started.length === 1, { what: "the call" });

    const drained = mount.drain(60_000);
    const refused = await post(
      callOf("2026-07-28", 2, "late").body,
      headersOf("2026-07-28", "tools/call", "read_note"),
    );
    held.release();
    await drained;

    expect(refused).toMatchObject({
      status: 503,
      message: { id: 2, error: { data: { code: "draining" } } },
    });
    expect(await kept).toMatchObject({ result: { structuredContent: { text: "kept" } } });
  },
);

for (const dialect of dialects) {
  proves(
    ["PROTO-20", "PROTO-08"],
    `a call that outlives its deadline is stopped and told so at ${dialect}`,
    async () => {
      const held = holding();
      const { call, mount } = mounted([held.binding], { callDeadlineMs: 1 });

      const answer = await call(dialect, 4, "slow");
      held.release();

      expect(answer).toMatchObject({ id: 4, error: { data: { code: "deadline_exceeded" } } });
      expect(held.aborted).toEqual(["slow"]);
      await eventually(() => mount.inFlight() === 0, { what: "nothing in flight" });
    },
  );

  proves(
    ["PROTO-20", "PROTO-08"],
    `a drain that runs out aborts what still runs at ${dialect}`,
    async () => {
      const held = holding();
      const { call, mount } = mounted([held.binding]);
      const running = call(dialect, 1, "stuck");
      await eventually(() => held.started.length === 1, { what: "the call" });

      await mount.drain(0);

      expect(held.aborted).toEqual(["stuck"]);
      expect(await running).toMatchObject({ error: { data: { code: "deadline_exceeded" } } });
      held.release();
    },
  );

  proves(
    "PROTO-20",
    `a long call answers as an event stream that is kept alive at ${dialect}`,
    async () => {
      const held = holding();
      const rig = mounted([held.binding], { keepAliveMs: 20 });
      const { body, headers } = callOf(dialect, 1, "long");
      const { outgoing, answered } = await open(rig, headers);
      outgoing.end(JSON.stringify(body));

      const answer = await answered;
      let text = "";
      answer.on("data", (chunk) => (text += String(chunk)));
      await eventually(() => (text.match(/^:/gm) ?? []).length > 2, { what: "comments" });
      held.release();
      await new Promise((resolve) => answer.on("end", resolve));

      expect(answer.headers["content-type"]).toBe("text/event-stream");
      expect(messageOf(text)).toMatchObject({
        id: 1,
        result: { structuredContent: { text: "long" } },
      });
      expect(text.match(/^data: /gm)).toHaveLength(1);
    },
  );

  test(`progress arrives before the answer at ${dialect}`, async () => {
    const tool = bindTool(readNote, async (_args, { reportProgress }) => {
      reportProgress(1, 2, "half");
      return { text: "done" };
    });
    const { post } = mounted([tool]);
    const { body, headers } = callOf(dialect, 1, "a", { progressToken: "p" });

    const { text } = await post(body, headers);

    expect(text.indexOf("notifications/progress")).toBeGreaterThan(0);
    expect(text.indexOf("notifications/progress")).toBeLessThan(text.indexOf("structuredContent"));
  });
}

test("an answer that nobody asked for is accepted and dropped", async () => {
  const { post } = mounted([answering("x")]);

  const answer = await post({ jsonrpc: "2.0", id: 1, result: {} });

  expect(answer).toMatchObject({ status: 202, text: "" });
});

test("params of the wrong shape are -32602 with the path, at both revisions", async () => {
  const { post } = mounted([answering("x")]);

  const answers = await Promise.all(
    dialects.flatMap((dialect) => [
      post(request(dialect, 1, "tools/call", { name: 5 }), headersOf(dialect, "tools/call", "5")),
      post(request(dialect, 2, "tools/list", { cursor: 5 }), headersOf(dialect, "tools/list")),
    ]),
  );

  const refusal = (id: number, path: string): object => ({
    status: 400,
    message: { id, error: { code: -32602, data: { code: "invalid_params", path } } },
  });
  const both = [refusal(1, "/params/name"), refusal(2, "/params/cursor")];
  expect(answers).toMatchObject([...both, ...both]);
});
