import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { VERSION } from "../src/version.ts";
import { cli, fixturePath, logged, processesWith, serverWords, startBin } from "./support.ts";

const logFile = () => join(temporaryDirectory(), "log");
const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";

/** Runs with `--json` and checks that stdout is exactly one document on one line. */
async function json(argv: string[]) {
  const cut = argv.indexOf("--");
  const words = cut === -1 ? [...argv, "--json"] : argv.toSpliced(cut, 0, "--json");
  const { stdout, ...rest } = await cli(words);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(stdout.split("\n")).toHaveLength(2);
  return { ...rest, text: stdout, document: JSON.parse(stdout) };
}

test("call prints the result alone on stdout", async () => {
  const ok = await cli(["call", "write", "requestId=a", "value=b", ...serverWords()]);

  expect(ok).toEqual({ exitCode: 0, stdout: "written b under a\n", stderr: "requestId: a\n" });
});

proves("CLNT-112", "--json prints exactly one document in every outcome", async () => {
  const rows: [string[], number, object][] = [
    [["call", "echo", ...serverWords()], 0, { ok: true, delivery: "delivered", tool: "echo" }],
    [["call", "fail", ...serverWords()], 1, { ok: false, result: { isError: true } }],
    [["call", "error", "code=-32603", ...serverWords()], 1, { error: { code: "server_error" } }],
    [["call", "error", "code=-32600", ...serverWords()], 4, { delivery: "rejected" }],
    [["call", "die", ...serverWords()], 7, { delivery: "unknown" }],
    [
      ["call", "ask", "--protocol=2026-07-28", ...serverWords()],
      6,
      { result: { kind: "input_required" } },
    ],
    [["call", "nope", ...serverWords()], 2, { error: { code: "unknown_tool" } }],
    [["call", "echo", "--", "/no/such/program"], 3, { error: { code: "spawn_failed" } }],
    [["call", "no-server", "echo"], 2, { error: { code: "unknown_server" } }],
    [["call", "https://example.com/mcp", "echo"], 2, { error: { code: "invalid_config" } }],
    [["call"], 2, { error: { code: "invalid_arguments" } }],
    [["call", "--timeot", "5"], 2, { error: { code: "invalid_arguments" } }],
    [["frobnicate"], 2, { error: { code: "invalid_arguments" } }],
    [["list", ...serverWords()], 0, { command: "list", ok: true }],
    [["list", ...serverWords("--pages=2")], 8, { result: { truncated: { why: "cursor_loop" } } }],
    [["list", "--", process.execPath, "-e", "0"], 3, { error: { code: "server_exited" } }],
  ];
  for (const [argv, code, part] of rows) {
    const { exitCode, document } = await json(argv);
    expect([argv, exitCode]).toEqual([argv, code]);
    expect(document).toMatchObject({
      postern: 1,
      detail: {},
      warnings: expect.any(Array),
      ...part,
    });
  }

  const big = await json(["call", "numbers", ...serverWords()]);
  expect(big.text).toContain('"big":9007199254740993');
  const hostile = `\u001b]0;t\u0007\u202e\u{e0041}\u200b\u009b1m`;
  const echoed = await json(["call", "echo", `text=${hostile}`, ...serverWords()]);
  // oxlint-disable-next-line no-control-regex
  expect(echoed.text).not.toMatch(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]|\u{e0041}/u,
  );
  expect(echoed.document.result.structuredContent).toEqual({ text: hostile });
  const deep = await json(["call", "deep", "count=2000", ...serverWords()]);
  expect(deep.exitCode).toBe(0);
  expect(deep.text).toContain("nested deeper than 512");
});

test("the envelope has the published members and no other", async () => {
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, "../schema/envelope.schema.json"), "utf8"),
  );
  const { document } = await json(["call", "write", "value=b", ...serverWords()]);
  const failed = await json(["call", "die", ...serverWords()]);

  const known = Object.keys(schema.properties);
  for (const each of [document, failed.document]) {
    expect(Object.keys(each).filter((name) => !known.includes(name))).toEqual([]);
    expect(schema.required.filter((name: string) => !(name in each))).toEqual([]);
    const facts = Object.keys(schema.properties.detail.properties);
    expect(Object.keys(each.detail).filter((name) => !facts.includes(name))).toEqual([]);
  }
});

proves("CLNT-37", "missing, mistyped and unknown are exit 2 with nothing sent", async () => {
  const log = logFile();
  const words = serverWords(`--log=${log}`);
  const rows: [string[], RegExp][] = [
    [["write"], /not given: value/],
    [["write", "value=x", "vaule=y"], /did you mean value/],
    [["echo", "big=many"], /takes an integer/],
    [["wrote"], /Did you mean "write"/],
  ];

  for (const [argv, message] of rows) {
    const { exitCode, stdout, stderr } = await cli(["call", ...argv, ...words]);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(lastLine(stderr)).toMatch(
      /^(?:invalid_arguments|unknown_tool) \(delivery: not_sent\)\./,
    );
  }
  expect(logged(log).some(({ method }) => method === "tools/call")).toBe(false);
});

test("exact arguments reach the wire from every form", async () => {
  const folder = temporaryDirectory();
  const file = join(folder, "text");
  writeFileSync(file, "from a file\n");
  writeFileSync(join(folder, "args"), '{"big":90071992547409931}');
  const call = async (...words: string[]) =>
    (await cli(["call", "echo", ...words, ...serverWords()])).stdout;

  expect(await call("big=9007199254740993", "list=a", "list=b,c", "ratio=1.10")).toContain(
    '"arguments":{"big":9007199254740993,"list":["a","b,c"],"ratio":1.10}',
  );
  expect(await call(`text@=${file}`, "--args", `@${join(folder, "args")}`)).toContain(
    '"arguments":{"big":90071992547409931,"text":"from a file\\n"}',
  );
  expect(await call('other:={"a":[1.50e3]}')).toContain('"other":{"a":[1.50e3]}');
  expect(await call("--no-schema", "big=5")).toContain('"arguments":{"big":"5"}');
});

test("bad input never starts a server", async () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "binary"), Buffer.from([0xff, 0xfe]));
  const rows = [
    ["--args", "[1]"],
    ["--args", '{"a":1,"a":2}'],
    ["--args", "@/no/such/file"],
    ["--args", "{"],
    [`text@=${folder}/none`],
    [`text@=${folder}/binary`],
    ["text=a\0b"],
    ["loose"],
    ["--request-id", "seven"],
    ["--request-id", "new", "requestId=x"],
    ["--timeout", "soon"],
    ["--timeout", "5"],
    ["--protocol", "2024-11-05"],
    ["--env", "NOVALUE"],
  ];

  for (const words of rows) {
    const { exitCode } = await cli(["call", "echo", ...words, ...serverWords(`--word=${folder}`)]);
    expect([words, exitCode]).toEqual([words, 2]);
  }
  expect(processesWith(`--word=${folder}`)).toEqual([]);
});

test("a required requestId is minted and printed before the call", async () => {
  const { exitCode, stdout, stderr } = await cli(["call", "write", "value=v", ...serverWords()]);
  const quiet = await cli(["call", "write", "value=v", "--quiet", ...serverWords()]);

  expect(exitCode).toBe(0);
  const [, id] = /^requestId: ([0-9a-f-]{36})\n$/.exec(stderr) ?? [];
  expect(stdout).toBe(`written v under ${String(id)}\n`);
  expect(quiet.stderr).toBe("");
});

test("--dry-run connects and lists, and shows what would be sent", async () => {
  const log = logFile();
  const words = serverWords(`--log=${log}`);

  const { exitCode, stdout } = await cli([
    "call",
    "echo",
    "big=9007199254740993",
    "--dry-run",
    "--timeout",
    "90000",
    "--env",
    "T=canary",
    ...words,
  ]);

  expect(exitCode).toBe(0);
  expect(stdout).toContain('"params":{"name":"echo","arguments":{"big":9007199254740993}}}');
  expect(stdout).toContain("setting timeoutMs = 90000 (--timeout)");
  expect(stdout).toContain("setting maxInFlight = 8 (default)");
  expect(stdout).not.toContain("canary");
  expect(logged(log).map(({ method }) => method)).toEqual([
    "initialize",
    "notifications/initialized",
    "tools/list",
  ]);
});

test("the flags of the server reach it", async () => {
  const cwd = temporaryDirectory();
  process.env["INHERITED"] = "yes";

  const { document } = await json([
    "call",
    "env",
    "--cwd",
    cwd,
    "--env",
    "LITERAL=a=b",
    "--inherit-env",
    "INHERITED",
    ...serverWords("--", "--json", "it's"),
  ]);

  expect(document.result.structuredContent).toMatchObject({
    cwd,
    argv: ["--", "--json", "it's"],
    env: { LITERAL: "a=b", INHERITED: "yes" },
  });
});

test("peer text cannot drive the terminal, and is cut at 1 MiB", async () => {
  const hostile = "\u001b]0;owned\u0007\u001b[2Jplain\u202etext";
  const reply = JSON.stringify({ content: [{ type: "text", text: hostile }] });
  const raw = `text={"jsonrpc":"2.0","id":$ID,"result":${reply}}\n`;

  const shown = await cli(["call", "raw", raw, ...serverWords()]);
  const large = await cli(["call", "big", "count=1048577", ...serverWords()]);

  // oxlint-disable-next-line no-control-regex
  expect(shown.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(shown.stdout).toContain("plain");
  expect(large.stdout).toMatch(/\n\[cut: 2 more bytes; --json prints all\]\n$/);
});

proves(
  "CLNT-111",
  "hints and warnings go to stderr, not under --quiet; a closed pipe changes no exit code",
  async () => {
    const loud = await cli(["call", "echo", "odd=1", ...serverWords("--banner=2")]);
    const quiet = await cli(["call", "echo", "odd=1", "--quiet", ...serverWords("--banner=2")]);
    const moving = await cli(["call", "progress", ...serverWords()]);

    expect(loud.stderr).toMatch(/unknown_argument[^]*stdout_noise/);
    expect(quiet.stderr).toBe("");
    expect(moving.stderr).toBe("progress 1/3\n");
    expect(loud.stdout).not.toContain("warning");

    const { child, ended } = startBin(["call", "fail", ...serverWords()]);
    child.stdout.destroy();
    child.stderr.destroy();
    expect((await ended).exitCode).toBe(1);
  },
);

test("the server's stderr is shown when asked for, or its end on a terminal after a failure", async () => {
  const words = serverWords("--stderr=\u001b[31mtrouble");
  const asked = await cli(["call", "echo", "--show-stderr", ...words]);
  const piped = await cli(["call", "die", ...words]);
  const terminal = await cli(["call", "die", ...words], true);
  const { text } = await json(["call", "die", ...words]);

  expect(asked.stderr).toBe("server: trouble\n");
  expect(terminal.stderr).toContain("server: trouble\n");
  expect(piped.stderr).not.toContain("trouble");
  expect(text).not.toContain("trouble");
});

test("describe shows types, defaults and examples, with the server's words marked", async () => {
  const file = join(temporaryDirectory(), "tools.json");
  const inputSchema = {
    type: "object",
    required: ["mode"],
    properties: {
      mode: { enum: ["fast", "slow"], default: "fast", description: "How.\ncall: rm -rf" },
      tags: { type: "array", items: { type: "integer" } },
    },
  };
  writeFileSync(file, JSON.stringify([{ name: "do", description: "Does.\u001b[2J", inputSchema }]));
  const words = serverWords(`--tools=${file}`);

  const { stdout } = await cli(["describe", "do", ...words]);
  const { document } = await json(["describe", "do", ...words]);
  const server = await cli(["describe", "--protocol=2026-07-28", ...words]);
  const unknown = await cli(["describe", "du", ...words]);

  expect(stdout).toBe(`do  (effects: possible)
The server says:
  | Does.

mode  one of "fast", "slow", required, default "fast"
  | How.
  | call: rm -rf
  example: mode=fast

tags  list of integer, optional
  example: tags=1

call: postern-mcp call do mode=fast -- COMMAND
`);
  expect(document.result.arguments).toEqual([
    expect.objectContaining({
      name: "mode",
      required: true,
      enum: ["fast", "slow"],
      example: "mode=fast",
    }),
    { name: "tags", type: "list of integer", required: false, example: "tags=1" },
  ]);
  expect(server.stdout).toContain(
    "revision  2026-07-28\ntools     do\nThe server says:\n  | Be kind.",
  );
  expect(unknown.exitCode).toBe(2);
});

test("servers come from the configuration file, side by side, each with its own outcome", async () => {
  const path = join(temporaryDirectory(), "config.json");
  const [, command, ...args] = serverWords();
  const write = (servers: object, more = {}) =>
    writeFileSync(path, JSON.stringify({ servers, ...more }), { mode: 0o600 });
  write({
    good: { command, args },
    cut: { command, args: [...args, "--pages=2"] },
    gone: { command: "/no/such" },
    remote: { url: "https://example.com" },
  });
  const on = (...words: string[]) => [...words, "--config", path];

  const three = await json(on("list", "good", "cut", "gone"));
  const text = await cli(on("list", "good", "cut"));
  const one = await cli(on("call", "good", "echo", "text=hi"));
  const near = await cli(on("call", "god", "echo"));
  const remote = await cli(on("call", "remote", "echo"));

  expect(three.exitCode).toBe(3);
  const states = three.document.result.servers.map((each: { server: string; ok: boolean }) => [
    each.server,
    each.ok,
  ]);
  expect(states).toEqual([
    ["good", true],
    ["cut", false],
    ["gone", false],
  ]);
  expect(text.exitCode).toBe(8);
  expect(text.stdout).toMatch(/^good:\necho {3,}Gives back[^]*\ncut:\nt0\n/);
  expect(one.exitCode).toBe(0);
  expect([near.exitCode, near.stderr.includes('Did you mean "good"?')]).toEqual([2, true]);
  expect([remote.exitCode, remote.stderr.includes("stdio only")]).toEqual([2, true]);
});

test("a broken configuration file is an error with its place, and stays as it is", async () => {
  const path = join(temporaryDirectory(), "config.json");
  const at = async (content: string, mode = 0o600) => {
    writeFileSync(path, content, { mode });
    const { chmodSync } = await import("node:fs");
    chmodSync(path, mode);
    const { exitCode, document } = await json(["list", "a", "--config", path]);
    expect(exitCode).toBe(2);
    expect(readFileSync(path, "utf8")).toBe(content);
    return document.error as { code: string; message: string };
  };

  const unknown = await at('{"servers": {"a":\n {"command": "x", "tiemoutMs": 5}}}');
  expect(unknown.code).toBe("invalid_config");
  expect(unknown.message).toMatch(/config\.json:2:\d+ servers\.a\.tiemoutMs/);
  expect(unknown.message).toContain('Did you mean "');
  const twice = await at('{"servers": {}, "servers": {}}');
  expect(twice).toMatchObject({ code: "invalid_config", message: expect.stringMatching(/:1:\d+/) });
  expect(await at('{"servers": {"A": {"command": "x"}}}')).toMatchObject({
    code: "invalid_config",
  });
  expect(await at('{"servers": {"a": {"command": 5}}}')).toMatchObject({ code: "invalid_config" });
  expect(await at("{")).toMatchObject({ code: "invalid_config" });
  expect(await at('{"servers": {}}', 0o620)).toMatchObject({ code: "config_not_private" });
  const secret = '{"servers": {"a": {"command": "x", "env": {"API_TOKEN": "canary"}}}}';
  expect(await at(secret, 0o644)).toMatchObject({ code: "config_not_private" });
  const missing = await json(["list", "a", "--config", `${path}.none`]);
  expect(missing.document.error.code).toBe("config_unreadable");
  expect((await json(["list", "a"])).document.error.code).toBe("unknown_server");
});

test("help fits one screen, unknown flags and commands name the nearest", async () => {
  const help = await cli(["--help"]);
  const bare = await cli([]);
  const topic = await cli(["help", "exit-codes"]);
  const version = await cli(["--version"]);
  const flag = await cli(["call", "--dry-rum"]);
  const command = await cli(["lst"]);
  const { version: packed } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../package.json"), "utf8"),
  );

  expect(help.exitCode).toBe(0);
  expect(help.stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
  expect(Math.max(...help.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(bare.stdout).toBe(help.stdout);
  expect(topic.stdout).toContain("delivery unknown");
  expect(version.stdout).toBe(`${VERSION}\n`);
  expect(VERSION).toBe(packed);
  expect([flag.exitCode, flag.stderr.includes("Did you mean --dry-run?")]).toEqual([2, true]);
  expect([command.exitCode, command.stderr.includes("Did you mean list?")]).toEqual([2, true]);
});

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  proves("CLNT-115", `the first ${signal} cancels, reports and cleans up`, async () => {
    const log = logFile();
    const { child, ended } = startBin(["call", "silent", "--json", ...serverWords(`--log=${log}`)]);
    await eventually(() => logged(log).some(({ method }) => method === "tools/call"));

    child.kill(signal);
    const { exitCode, stdout } = await ended;

    expect(exitCode).toBe(code);
    expect(JSON.parse(stdout)).toMatchObject({
      delivery: "unknown",
      error: { code: "aborted" },
      detail: { processTree: { survivors: 0 } },
    });
    expect(logged(log).at(-1)?.method).toBe("notifications/cancelled");
    expect(processesWith(log)).toEqual([]);
  });
}

proves("CLNT-115", "a second interrupt kills the tree at once", async () => {
  const word = `second-${String(process.pid)}`;
  const path = join(temporaryDirectory(), "config.json");
  const slow = {
    command: process.execPath,
    args: [fixturePath("tree.mjs"), word, "ignores-eof", "stubborn"],
    closeGraceMs: 60_000,
  };
  writeFileSync(path, JSON.stringify({ servers: { slow } }), { mode: 0o600 });
  const { child, output, ended } = startBin([
    "call",
    "slow",
    "silent",
    "--no-schema",
    "--config",
    path,
  ]);
  await eventually(() => processesWith(word).length >= 3);
  await eventually(
    () => {
      child.kill("SIGINT");
      return output.stderr !== "" || child.exitCode !== null;
    },
    { everyMs: 300 },
  );

  expect((await ended).exitCode).toBe(130);
  await eventually(() => processesWith(word).length === 0);
});

test("the bin reads --args from standard input", async () => {
  const words = ["call", "echo", "--args", "-", ...serverWords()];

  const { ended } = startBin(words, { input: '{"big":9007199254740993}' });

  const { exitCode, stdout } = await ended;
  expect(exitCode).toBe(0);
  expect(stdout).toContain('"arguments":{"big":9007199254740993}');
});
