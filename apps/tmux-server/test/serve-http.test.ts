import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { expect, onTestFinished, test } from "vitest";
import { readCommandLine } from "../src/flags.ts";
import { tokenBook } from "../src/token-book.ts";

const bin = join(import.meta.dirname, "../src/bin.ts");

function start(home: string, args: readonly string[]) {
  const env = { HOME: home, PATH: process.env["PATH"] };
  const child = spawn(process.execPath, ["--conditions=@postern/source", bin, ...args], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...said }));
  return { child, said, ended };
}

async function run(home: string, ...args: string[]) {
  return start(home, args).ended;
}

/** A token made without the program, which takes its time to start. */
async function newToken(home: string, name: string, scope: "read" | "write"): Promise<string> {
  return (
    await tokenBook(join(home, ".local/state/mcp-tmux"), Date.now).create(name, scope)
  ).reveal();
}

/** A server over HTTP with a home and a tmux socket of its own. */
async function served(home: string, ...flags: string[]) {
  const server = start(home, ["--http", "0", "--socket", join(home, "s"), ...flags]);
  const url = await eventually(
    () => /^Listening on (http:\/\/127\.0\.0\.1:\d+\/mcp)\n$/.exec(server.said.stdout)?.[1],
    { what: "the address" },
  );
  return { ...server, url };
}

const revisions = ["2025-11-25", "2026-07-28"] as const;

/** One raw request, as a client of this revision sends it. */
async function ask(
  url: string,
  token: string,
  method: string,
  params: Record<string, unknown> = {},
  revision: (typeof revisions)[number] = "2025-11-25",
) {
  const { name } = params;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const stateless = revision === "2026-07-28";
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      ...(stateless ? { "mcp-method": method } : {}),
      ...(stateless && typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: stateless ? { ...params, _meta } : params,
    }),
  });
  const text = await answer.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: answer.status, message: JSON.parse(data) as Record<string, unknown> };
}

proves(
  "TMUX-86",
  "only a token opens HTTP; its hash alone is kept, and revoking it holds from the next request",
  async () => {
    const home = temporaryDirectory();
    const { url, said } = await served(home);
    await eventually(() => said.stderr.includes("No token yet"), { what: "the hint" });

    const before = await ask(url, "ptmux_none", "tools/list");
    const made = await run(home, "token", "new", "--name", "laptop", "--scope", "read");
    const token = made.stdout.trim();
    const during = await ask(url, token, "tools/list");
    const list = await run(home, "token", "list");
    const directory = join(home, ".local/state/mcp-tmux/tokens");
    const kept = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
    const revoked = await run(home, "token", "revoke", "laptop");
    const after = await ask(url, token, "tools/list");
    const again = await run(home, "token", "revoke", "laptop");

    expect([before.status, during.status, after.status]).toEqual([401, 200, 401]);
    expect(list.stdout).toMatch(/^laptop +read +made 20\S+Z {2}used 20\S+Z\n$/);
    expect(kept).toHaveLength(1);
    expect(kept.join()).not.toContain(token.slice(6));
    expect([revoked.code, again.code]).toEqual([0, 1]);
    expect(said.stderr + made.stderr + list.stdout).not.toContain(token);
  },
  60_000,
);

proves("TMUX-86", "a read token sees and calls read tools only, at both revisions", async () => {
  const home = temporaryDirectory();
  const [reader, writer] = [
    await newToken(home, "reader", "read"),
    await newToken(home, "writer", "write"),
  ];
  const { url } = await served(home, "--write");
  const typing = { name: "write_tmux_pane", arguments: { session: "x", text: "x" } };
  const namesOf = async (token: string, revision: (typeof revisions)[number]) => {
    const { message } = await ask(url, token, "tools/list", {}, revision);
    return (message["result"] as { tools: { name: string }[] }).tools.map(({ name }) => name);
  };

  for (const revision of revisions) {
    const [seen, all] = [await namesOf(reader, revision), await namesOf(writer, revision)];
    const refused = await ask(url, reader, "tools/call", typing, revision);
    const admitted = await ask(url, writer, "tools/call", typing, revision);

    expect(all).toContain("write_tmux_pane");
    expect(seen).toContain("read_tmux_pane");
    expect(seen.filter((name) => /write|send|execute/.test(name))).toEqual([]);
    expect(refused).toMatchObject({
      status: 403,
      message: { error: { data: { code: "insufficient_scope", requiredScopes: ["write"] } } },
    });
    expect(admitted).toMatchObject({
      status: 200,
      message: { result: { isError: true, structuredContent: { error: { code: "no_server" } } } },
    });
  }
});

proves("TMUX-86", "writing that is off stays off for a write token", async () => {
  const home = temporaryDirectory();
  const token = await newToken(home, "writer", "write");
  const { url } = await served(home);

  const typing = { name: "write_tmux_pane", arguments: { session: "x", text: "x" } };
  const { message } = await ask(url, token, "tools/call", typing);

  expect(message).toMatchObject({
    result: { structuredContent: { error: { code: "effect_not_enabled" } } },
  });
});

proves("TMUX-34", "over HTTP the home directory shows as ~, tmux or not", async () => {
  const home = temporaryDirectory();
  const token = await newToken(home, "reader", "read");
  const { url } = await served(home);

  const { message } = await ask(url, token, "tools/call", {
    name: "get_server_info",
    arguments: {},
  });

  expect(message).toMatchObject({
    result: {
      structuredContent: { config_path: "~/.config/mcp-tmux/config.json", socket_path: "~/s" },
    },
  });
  expect(JSON.stringify(message)).not.toContain(home);
});

proves("TMUX-86", "no legacy method, other path, name or page is served", async () => {
  const home = temporaryDirectory();
  const token = await newToken(home, "reader", "read");
  const { url } = await served(home);
  const authorization = `Bearer ${token}`;
  const post = async (to: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(to, { method: "POST", headers: { authorization, ...headers }, body: "{}" }))
      .status;

  const bare = await ask(url, token, "get_server_info");

  expect(bare.message).toMatchObject({ error: { code: -32601 } });
  expect(await post(`${url}/x`, {})).toBe(404);
  expect(await post(url, { origin: "http://evil.example" })).toBe(403);
  expect((await fetch(url)).status).toBe(405);
});

test("a port that is taken ends with 3, and an address of every interface too", async () => {
  const home = temporaryDirectory();
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;

  const ends = await Promise.all([
    run(home, "--http", String(port)),
    run(home, "--http", "0.0.0.0:0"),
  ]);

  expect(ends.map(({ code }) => code)).toEqual([3, 3]);
  expect(ends[0]?.stderr).toContain("EADDRINUSE");
});

test("addresses are read, and what belongs to another command is refused", () => {
  const httpOf = (text: string): unknown => {
    const line = readCommandLine(["--http", text]);
    return line.kind === "understood" ? line.flags.http : line.kind;
  };

  expect(["0", "65535", "localhost:80", "[::1]:80"].map(httpOf)).toEqual([
    { port: 0 },
    { port: 65_535 },
    { host: "localhost", port: 80 },
    { host: "::1", port: 80 },
  ]);
  expect(["", "65536", "::1:80", ":80", "80/x", "-1"].map(httpOf)).toEqual(
    Array(6).fill("refused"),
  );
  expect(readCommandLine(["doctor", "--http", "0"]).kind).toBe("refused");
});

test("a token needs a name and a scope, and cannot be named like the person at the pipe", () => {
  const lines = [
    ["token"],
    ["token", "new", "--name", "a"],
    ["token", "new", "--scope", "read"],
    ["token", "new", "--name", "a", "--scope", "manage"],
    ["token", "new", "--name", "user", "--scope", "read"],
    ["token", "new", "--name", "a b", "--scope", "read"],
    ["token", "revoke"],
    ["token", "list", "a"],
    ["--name", "a"],
  ];

  expect(lines.map((line) => readCommandLine(line).kind)).toEqual(lines.map(() => "refused"));
});

test("a token record that others can read lets nobody in", async () => {
  const home = temporaryDirectory();
  const token = await newToken(home, "reader", "read");
  const { url } = await served(home);
  const directory = join(home, ".local/state/mcp-tmux/tokens");

  chmodSync(join(directory, readdirSync(directory)[0] ?? ""), 0o644);

  expect((await ask(url, token, "tools/list")).status).toBe(401);
});

test("asked to end, the server closes and ends with 0", async () => {
  const home = temporaryDirectory();
  const { child, ended, url } = await served(home);

  child.kill("SIGTERM");

  expect((await ended).code).toBe(0);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});
