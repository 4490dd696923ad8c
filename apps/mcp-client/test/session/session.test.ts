import { join } from "node:path";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { session, unwrap, type ResolveOptions } from "../../src/index.ts";
import { logged, processesWith, server } from "../support.ts";

const logFile = () => join(temporaryDirectory(), "log");
const methods = (log: string) => logged(log).flatMap(({ id, method }) => (id ? [method] : []));

proves(
  "CLNT-06",
  "a session connects at its first call, once for all that come together, and matches answers by id",
  async () => {
    const log = logFile();
    const calls = session({ ...server(`--log=${log}`), maxInFlight: 3 });
    expect([calls.info, processesWith(log)]).toEqual([undefined, []]);

    const slow = calls.callTool("sleep", { ms: 300 });
    const quick = calls.callTool("echo", { text: "quick" });
    const third = calls.callTool("sleep", { ms: 300 });
    const over = await calls.callTool("echo");

    expect(over.error).toMatchObject({ code: "too_many_in_flight", delivery: "not_sent" });
    const first = await Promise.race([slow.then(() => "slow"), quick.then(() => "quick")]);
    expect(first).toBe("quick");
    expect(unwrap(await quick)).toMatchObject({ structuredContent: { text: "quick" } });
    expect(unwrap(await slow)).toMatchObject({ content: [{ text: "slept" }] });
    await third;
    expect(methods(log)).toEqual(["initialize", "tools/call", "tools/call", "tools/call"]);
    expect(calls.info?.revision).toBe("2025-11-25");
    expect(await calls.close()).toMatchObject({ processTree: { survivors: 0 } });
    expect(processesWith(log)).toEqual([]);
  },
);

proves(
  "CLNT-07",
  "the resolver is asked at each connect and told why; what it throws or gives is judged",
  async () => {
    const asked: ResolveOptions[] = [];
    const calls = session(async (why) => {
      asked.push(why);
      return server();
    });
    unwrap(await calls.callTool("echo"));
    unwrap(await calls.callTool("echo"));
    unwrap(await calls.reconnect());
    unwrap(await calls.callTool("echo"));
    const closed = asked.at(-1)?.signal.aborted;
    await calls.close();

    expect(asked.map(({ reason }) => reason)).toEqual(["first", "reconnect"]);
    expect([closed, asked.at(-1)?.signal.aborted]).toEqual([false, true]);
    const thrown = session(() => {
      throw new Error("canary");
    });
    const bad = session(() => ({ command: "x", timoutMs: 5 }) as never);
    for (const broken of [thrown, bad]) {
      const { error } = await broken.callTool("echo");
      expect(error).toMatchObject({ code: "invalid_config", delivery: "not_sent" });
      expect(error?.message).not.toContain("canary");
    }
  },
);

proves(
  "CLNT-08",
  "a lost session answers session_closed until reconnect, and no past call is sent again",
  async () => {
    const log = logFile();
    const calls = session(server(`--log=${log}`));

    const died = await calls.callTool("die");
    const refused = await calls.callTool("echo");
    const info = unwrap(await calls.reconnect());
    const again = await calls.callTool("echo");

    expect(died.error).toMatchObject({ code: "server_exited", delivery: "unknown" });
    expect(refused.error).toMatchObject({ code: "session_closed", delivery: "not_sent" });
    expect(refused.error?.message).toContain("reconnect()");
    expect([info.revision, again.error]).toEqual(["2025-11-25", undefined]);
    const called = logged(log).filter(({ method }) => method === "tools/call");
    expect(called.map(({ params }) => params?.["name"])).toEqual(["die", "echo"]);
    await calls.close();
    const after = await calls.callTool("echo");
    expect(after.error).toMatchObject({ code: "session_closed", delivery: "not_sent" });
    expect((await calls.reconnect()).error?.code).toBe("session_closed");
  },
);

test("opted in, the next call opens a new connection, one for all that wait for it", async () => {
  const log = logFile();
  const calls = session(server(`--log=${log}`), undefined, { reconnect: "next_call" });

  await calls.callTool("die");
  const both = await Promise.all([calls.callTool("echo"), calls.callTool("echo")]);

  expect(both.map(({ error }) => error)).toEqual([undefined, undefined]);
  expect(methods(log)).toEqual([
    "initialize",
    "tools/call",
    "initialize",
    "tools/call",
    "tools/call",
  ]);
  await calls.close();
});

test("a first connection that fails is told to all who waited, and lost nothing", async () => {
  let tries = 0;
  const calls = session(() => {
    tries += 1;
    return tries === 1 ? { command: "/no/such/program" } : server();
  });

  const both = await Promise.all([calls.callTool("echo"), calls.listTools()]);
  const next = await calls.callTool("echo");

  expect(both.map(({ error }) => error?.code)).toEqual(["spawn_failed", "spawn_failed"]);
  expect([tries, next.error]).toEqual([2, undefined]);
  await calls.close();
});

test("a failed reconnect leaves the session lost", async () => {
  let tries = 0;
  const calls = session(() => {
    tries += 1;
    return tries === 2 ? { command: "/no/such/program" } : server();
  });
  await calls.callTool("die");

  const failed = await calls.reconnect();
  const refused = await calls.callTool("echo");
  const [again, same] = await Promise.all([calls.reconnect(), calls.reconnect()]);

  expect(failed.error?.code).toBe("spawn_failed");
  expect(refused.error?.code).toBe("session_closed");
  expect([tries, again.error, same.error]).toEqual([3, undefined, undefined]);
  await calls.close();
});

test("one caller may give up a shared connection, and closing ends it", async () => {
  const log = logFile();
  const hanging = () => session(server(`--word=${log}`, "--silent-initialize"));
  const given = hanging();
  const abort = new AbortController();

  const one = given.callTool("echo", {}, { signal: abort.signal });
  const other = given.callTool("echo");
  await eventually(() => processesWith(log).length === 1);
  abort.abort();

  expect((await one).error).toMatchObject({ code: "aborted", delivery: "not_sent" });
  expect(processesWith(log)).toHaveLength(1);
  await given.close();
  expect((await other).error).toMatchObject({ code: "aborted", delivery: "not_sent" });
  expect(processesWith(log)).toEqual([]);
});
