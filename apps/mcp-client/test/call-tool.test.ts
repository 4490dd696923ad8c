import { join } from "node:path";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool, connect, unwrap, withClient } from "../src/index.ts";
import { logged, processesWith, server } from "./support.ts";

proves("CLNT-03", "a call connects, is written once, and leaves no process behind", async () => {
  const log = join(temporaryDirectory(), "log");

  const { result, error, detail } = await callTool(server(`--log=${log}`), "echo", { text: "hi" });

  expect(error).toBeUndefined();
  expect(result).toMatchObject({ kind: "complete", structuredContent: { text: "hi" } });
  expect(logged(log).map(({ id, method }) => [id, method])).toEqual([
    [1, "initialize"],
    [undefined, "notifications/initialized"],
    [2, "tools/call"],
  ]);
  expect(detail).toMatchObject({
    delivery: "delivered",
    phase: "call",
    transport: "stdio",
    revision: "2025-11-25",
    processTree: { stage: "eof", survivors: 0 },
  });
  expect(processesWith(log)).toEqual([]);
});

proves("CLNT-04", "withClient closes when its work returns, fails or throws", async () => {
  const log = join(temporaryDirectory(), "log");
  const config = server(`--log=${log}`);

  const plain = await withClient(config, async (client) => client.info.revision);
  const failed = await withClient(config, (client) => client.callTool("error", { code: -32603 }));
  const thrown = withClient(config, async () => {
    throw new Error("mine");
  });

  await expect(thrown).rejects.toThrow("mine");
  expect(plain).toMatchObject({ result: "2025-11-25", detail: { processTree: { survivors: 0 } } });
  expect(failed.error?.code).toBe("server_error");
  expect(failed.detail.processTree?.survivors).toBe(0);
  expect(processesWith(log)).toEqual([]);
});

proves(
  "CLNT-05",
  "connect is ready or leaves nothing running, and close is idempotent",
  async () => {
    const log = join(temporaryDirectory(), "log");

    const refused = await connect(server(`--log=${log}`, "--only=2026"));
    expect(refused.error?.code).toBe("revision_not_supported");
    expect(refused.error?.message).toContain("--protocol 2026-07-28");
    expect(processesWith(log)).toEqual([]);

    const client = unwrap(await connect(server(`--log=${log}`)));
    expect(processesWith(log)).toHaveLength(1);
    const [first, second] = await Promise.all([client.close(), client.close()]);
    expect(first).toBe(second);
    await eventually(() => processesWith(log).length === 0);
    const late = await client.callTool("echo");
    expect(late.error).toMatchObject({ code: "session_closed", delivery: "not_sent" });
  },
);

test("request sends any method but those of the connection itself", async () => {
  const log = join(temporaryDirectory(), "log");
  const outcome = await withClient(server(`--log=${log}`), async (client) => {
    const refused = await Promise.all(
      ["initialize", "server/discover", "notifications/cancelled"].map((method) =>
        client.request(method),
      ),
    );
    return {
      refused,
      raw: await client.request("tools/list"),
      none: await client.request("no/such"),
    };
  });

  const { refused, raw, none } = unwrap(outcome);
  expect(refused.map(({ error }) => error?.code)).toEqual(
    Array.from({ length: 3 }, () => "method_not_allowed"),
  );
  expect(raw.result).toHaveProperty("tools");
  expect(none.error).toMatchObject({ code: "method_not_found", delivery: "rejected" });
  expect(logged(log).filter(({ method }) => method === "initialize")).toHaveLength(1);
});

proves(
  "CLNT-10",
  "an error says what to do and quotes at most 200 harmless characters",
  async () => {
    const text = `\u001b]0;owned\u0007\u202E${"word ".repeat(200)}`;
    const { error, detail } = await callTool(server(), "error", { code: -32603, text });

    expect(error).toMatchObject({
      name: "ClientError",
      code: "server_error",
      delivery: "delivered",
    });
    expect(error).toBeInstanceOf(Error);
    expect(error?.data).toEqual({ jsonRpcCode: -32603 });
    expect(error?.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(error?.message.match(/word/g)?.length).toBeLessThanOrEqual(40);
    expect(detail.sensitive.serverError?.message).toBe(text);
  },
);

proves("CLNT-15", "what may hold secrets is in no copy, print or serialisation", async () => {
  const { inspect } = await import("node:util");
  const outcome = await callTool(server("--stderr=canary-stderr"), "error", { code: -32603 });

  const { detail } = outcome;
  expect(detail.sensitive.serverError?.data).toEqual({ secret: "canary-data" });
  expect(detail.sensitive.stderrTail).toContain("canary-stderr");
  for (const shown of [JSON.stringify(outcome), inspect(outcome, { depth: 9 }), { ...detail }]) {
    expect(inspect(shown)).not.toContain("canary");
  }
  expect(Object.keys(detail)).not.toContain("sensitive");
});

proves("CLNT-16", "every unknown says to inspect, and how to ask about a request id", async () => {
  const plain = await callTool(server(), "die");
  const named = await callTool(server(), "die", {}, { requestId: "new" });

  expect(plain.error?.delivery).toBe("unknown");
  expect(plain.detail.nextStep).toMatch(/may have run.*do not call it again blindly/);
  expect(named.detail.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(named.detail.nextStep).toContain(`requestId ${named.detail.requestId}`);
  expect((await callTool(server(), "echo")).detail.nextStep).toBeUndefined();
});

proves("CLNT-17", "isError is a result, and effects are the server's claim", async () => {
  const outcome = await withClient(server(), async (client) => {
    await client.listTools();
    return { fail: await client.callTool("fail"), echo: await client.callTool("echo") };
  });

  const { fail, echo } = unwrap(outcome);
  expect(fail.result).toMatchObject({ kind: "complete", isError: true });
  expect(fail.detail).toMatchObject({ delivery: "delivered", effects: "possible" });
  expect(echo.detail.effects).toBe("claimed_read_only");
});

proves("CLNT-19", "requestId new mints a UUIDv7 into the arguments, once", async () => {
  const args = { value: "x" };
  const { result, detail } = await callTool(server(), "write", args, { requestId: "new" });
  const given = await callTool(server(), "write", args, { requestId: "my-id" });

  expect(detail.requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
  expect(JSON.stringify(result)).toContain(`under ${detail.requestId}`);
  expect(JSON.stringify(given.result)).toContain("under my-id");
  expect(args).toEqual({ value: "x" });
});

test("integers beyond 2^53 are a number with a warning, or exact when asked for", async () => {
  const outcome = await withClient(server(), async (client) => ({
    inexact: await client.callTool("numbers"),
    exact: await client.callTool("numbers", {}, { exactIntegers: true }),
  }));

  const { inexact, exact } = unwrap(outcome);
  expect(inexact.detail.warnings.map(({ code }) => code)).toEqual(["inexact_integers"]);
  expect(inexact.result).toMatchObject({ structuredContent: { safe: 5 } });
  expect(exact.result).toMatchObject({ structuredContent: { big: 9007199254740993n, safe: 5 } });
  expect(exact.detail.warnings).toEqual([]);
});

test("bigint arguments reach the server digit for digit", async () => {
  const { result } = await callTool(server(), "echo", { big: 9007199254740993n });

  expect(JSON.stringify(result)).toContain('\\"big\\":9007199254740993}');
});

test("a result nested too deep for a reader of its own is delivered", async () => {
  const { result } = await callTool(server(), "deep", { count: 100_000 });

  expect(result?.kind).toBe("complete");
});
