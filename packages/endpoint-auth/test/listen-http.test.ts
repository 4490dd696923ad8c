import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { createToken, httpGuard, listenHttp, type ListenOptions } from "@postern/endpoint-auth";
import { mountMcp } from "@postern/protocol/http";
import { createServerFactory } from "@postern/protocol/server";
import { eventually, proves, requirePart } from "@postern/testing";
import { fastify, type FastifyInstance } from "fastify";
import { expect, onTestFinished, test } from "vitest";

const { token, record } = createToken("ptm", { subject: "laptop", scopes: ["read"], createdAt: 0 });

const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
const headers = {
  authorization: `Bearer ${token.reveal()}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** A guarded MCP server on loopback that counts the calls which got through. */
async function served(options: ListenOptions = {}) {
  const app = fastify();
  const reached: string[] = [];
  const factory = createServerFactory({
    name: "bell",
    version: "1",
    tools: ({ principal }) => {
      reached.push(principal.subject);
      return [];
    },
    enabledEffects: () => new Set(["read"]),
    log: () => undefined,
  });
  let hosts: readonly string[] = [];
  const guard = httpGuard({
    hosts: () => hosts,
    origins: () => hosts.map((name) => `http://${name}`),
    findToken: async (sha256) => (sha256 === record.sha256 ? record : undefined),
    scopes: ["read"],
    now: () => 1,
  });
  mountMcp(app, { factory, guard, log: () => undefined });
  const listener = await listening(app, options);
  hosts = listener.hosts;
  return { ...listener, reached };
}

async function listening(app: FastifyInstance, options: ListenOptions = {}) {
  const listener = await listenHttp(app, options);
  if (listener.kind === "refused") throw new Error(listener.message);
  onTestFinished(listener.close);
  return listener;
}

function opened(port: number, text = ""): Socket {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => "cut");
  socket.write(text);
  return socket.resume();
}

async function refusalOf(options: ListenOptions): Promise<object> {
  const outcome = await listenHttp(fastify(), options);
  return outcome;
}

proves("AUTH-20", "only loopback is listened on unless told otherwise", async () => {
  const elsewhere = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4")?.address;

  const local = await listening(fastify());
  const refusals = await Promise.all(
    ["192.0.2.1", "8.8.8.8", ...(elsewhere === undefined ? [] : [elsewhere])].map((host) =>
      refusalOf({ host }),
    ),
  );

  expect(local.hosts).toEqual([
    `127.0.0.1:${String(local.port)}`,
    `localhost:${String(local.port)}`,
  ]);
  expect(local.origin).toBe(`http://127.0.0.1:${String(local.port)}`);
  expect(refusals).toEqual(
    refusals.map(() => expect.objectContaining({ code: "remote_not_allowed" }) as object),
  );
});

proves("AUTH-20", "an address that is taken, absent, or no single address is refused", async () => {
  const { port } = await listening(fastify());

  const codes = await Promise.all([
    refusalOf({ port }),
    refusalOf({ host: "192.0.2.1", allowRemote: true }),
    refusalOf({ host: "0.0.0.0", allowRemote: true }),
    refusalOf({ host: "::", allowRemote: true }),
    refusalOf({ host: "a.example", allowRemote: true }),
    refusalOf({ host: "0:0::1" }),
  ]);

  expect(codes).toEqual(
    codes.map(() => expect.objectContaining({ code: "address_unavailable" }) as object),
  );
});

proves(
  "AUTH-18",
  "the listener's own names reach it, and no name that leads to it does",
  async () => {
    const { port, reached } = await served();
    const answer = async (host: string): Promise<string> => {
      const socket = connect(port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${lines.join("")}Connection: close\r\nContent-Length: ${String(call.length)}\r\n\r\n${call}`,
      );
      let text = "";
      for await (const chunk of socket) text += String(chunk);
      return text.slice(9, 12);
    };

    const statuses = [
      await answer(`127.0.0.1:${String(port)}`),
      await answer(`localhost:${String(port)}`),
      await answer("rebound.example"),
      await answer(`rebound.example:${String(port)}`),
      await answer(`127.0.0.1:${String(port)}\r\nHost: 127.0.0.1:${String(port)}`),
    ];

    expect(statuses).toEqual(["200", "200", "403", "403", "403"]);
    expect(reached).toEqual(["laptop", "laptop"]);
  },
);

proves(
  ["AUTH-18", "AUTH-19"],
  "what a web page can send without a token gets nowhere",
  async () => {
    const { origin, port, reached } = await served();
    const post = async (sent: Record<string, string>): Promise<number> =>
      (await fetch(`${origin}/mcp`, { method: "POST", headers: sent, body: call })).status;
    const simple = { "content-type": "text/plain" };

    const statuses = [
      await post({ ...simple, origin: "http://evil.example" }),
      await post({ ...headers, origin: "http://evil.example" }),
      await post({ ...headers, origin: `http://127.0.0.1:${String(port + 1)}` }),
      await post({ ...headers, origin: `http://localhost:${String(port + 1)}` }),
      await post(simple),
      await post({ ...headers, authorization: "" }),
    ];
    const preflight = await fetch(`${origin}/mcp`, {
      method: "OPTIONS",
      headers: { origin: "http://evil.example" },
    });

    expect(statuses).toEqual([403, 403, 403, 403, 401, 401]);
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    expect(reached).toEqual([]);
    expect(await post({ ...headers, origin })).toBe(200);
  },
);

proves("AUTH-19", "a refusal does not wait for a body that never comes", async () => {
  const { port, reached } = await served();
  const socket = opened(
    port,
    `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1000\r\n\r\n`,
  );

  let text = "";
  socket.on("data", (chunk) => (text += String(chunk)));

  await eventually(() => text.includes("host_refused"), { what: "the refusal" });
  expect(text).toMatch(/^HTTP\/1\.1 403 /);
  expect(reached).toEqual([]);
});

proves(
  "AUTH-20",
  "connections that never finish a request are closed, and keep nobody out",
  async () => {
    const { origin, port } = await served({
      maxUnknownConnections: 8,
      headersTimeoutMs: 100,
      requestTimeoutMs: 200,
    });
    const slow = Array.from({ length: 40 }, () => opened(port, "P"));
    await eventually(() => slow.filter((socket) => socket.closed).length >= 32, {
      what: "evictions",
    });

    const answer = await fetch(`${origin}/mcp`, { method: "POST", headers, body: call });

    expect(answer.status).toBe(200);
    // The last eight are under the cap and end by the limit of headers.
    await eventually(() => slow.every((socket) => socket.closed), {
      what: "all closed",
      timeoutMs: 10_000,
    });
  },
);

proves(
  "AUTH-20",
  "a connection that a guard let through is not counted among the unknown",
  async () => {
    const { port } = await served({ maxUnknownConnections: 2 });
    const known = opened(
      port,
      `POST /mcp HTTP/1.1\r\nHost: localhost:${String(port)}\r\nAuthorization: ${headers.authorization}\r\nContent-Length: 9\r\n\r\n`,
    );
    let text = "";
    known.on("data", (chunk) => (text += String(chunk)));
    const first = opened(port, "P");
    await eventually(() => !first.connecting, { what: "a connection" });
    await eventually(() => text.includes("unsupported_media_type"), { what: "the answer" });

    const more = [opened(port, "P"), opened(port, "P")];
    await eventually(() => first.closed, { what: "the oldest to go" });

    expect(known.closed).toBe(false);
    expect(more.map((socket) => socket.closed)).toEqual([false, false]);
  },
);

proves("AUTH-20", "headers of 16 KiB are read and longer ones refused", async () => {
  const { origin } = await served();
  const status = async (bytes: number): Promise<number> =>
    (
      await fetch(`${origin}/mcp`, {
        method: "POST",
        headers: { ...headers, "x-pad": "x".repeat(bytes) },
        body: call,
      })
    ).status;

  expect(await status(15_000)).toBe(200);
  expect(await status(16_385)).toBe(431);
});

proves(
  "AUTH-20",
  "a listener that ran out of descriptors accepts again when there are some",
  async (context) => {
    requirePart(context, "prlimit", "apt-get install util-linux");
    const fixture = join(import.meta.dirname, "fixtures/listens.mjs");
    const child = spawn("prlimit", [
      "--nofile=48",
      process.execPath,
      "--conditions=@postern/source",
      fixture,
    ]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const port = Number(line.toString());
    const many = Array.from({ length: 64 }, () => opened(port));
    await eventually(() => many.some((socket) => socket.closed), { what: "a connection dropped" });

    for (const socket of many) socket.destroy();

    await eventually(
      async () => {
        const answer = await fetch(`http://127.0.0.1:${String(port)}/`).catch(() => undefined);
        return answer?.status === 404;
      },
      { what: "an answer" },
    );
    expect(child.exitCode).toBeNull();
  },
);

test("a closed listener answers nothing more", async () => {
  const listener = await listening(fastify());

  await listener.close();

  await expect(fetch(listener.origin)).rejects.toThrow("fetch failed");
});
