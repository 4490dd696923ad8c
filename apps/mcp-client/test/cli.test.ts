import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { cli, cliJson, logged, processesWith, serverWords, startBin } from "./support.ts";

const logFile = () => join(temporaryDirectory(), "log");
const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";

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
    [["call", "http://example.com/mcp", "echo"], 2, { error: { code: "insecure_url" } }],
    [["call"], 2, { error: { code: "invalid_arguments" } }],
    [["call", "--timeot", "5"], 2, { error: { code: "invalid_arguments" } }],
    [["frobnicate"], 2, { error: { code: "invalid_arguments" } }],
    [["list", ...serverWords()], 0, { command: "list", ok: true }],
    [["list", ...serverWords("--pages=2")], 8, { result: { truncated: { why: "cursor_loop" } } }],
    [["list", "--", process.execPath, "-e", "0"], 3, { error: { code: "server_exited" } }],
  ];
  for (const [argv, code, part] of rows) {
    const { exitCode, document } = await cliJson(argv);
    expect([argv, exitCode]).toEqual([argv, code]);
    expect(document).toMatchObject({
      postern: 1,
      detail: {},
      warnings: expect.any(Array),
      ...part,
    });
  }

  const big = await cliJson(["call", "numbers", ...serverWords()]);
  expect(big.text).toContain('"big":9007199254740993');
  const hostile = `\u001b]0;t\u0007\u202e\u{e0041}\u200b\u009b1m`;
  const echoed = await cliJson(["call", "echo", `text=${hostile}`, ...serverWords()]);
  expect(echoed.text).not.toMatch(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]|\u{e0041}/u,
  );
  expect(echoed.document.result.structuredContent).toEqual({ text: hostile });
  const deep = await cliJson(["call", "deep", "count=2000", ...serverWords()]);
  expect(deep.exitCode).toBe(0);
  expect(deep.text).toContain("nested deeper than 512");
});

test("the envelope has the published members and no other", async () => {
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, "../schema/envelope.schema.json"), "utf8"),
  );
  const { document } = await cliJson(["call", "write", "value=b", ...serverWords()]);
  const failed = await cliJson(["call", "die", ...serverWords()]);

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

test("an optional requestId is minted for a tool that may have effects, and for no other", async () => {
  const inputSchema = { type: "object", properties: { requestId: { type: "string" } } };
  const tools = join(temporaryDirectory(), "tools.json");
  const reading = { name: "echo", inputSchema, annotations: { readOnlyHint: true } };
  writeFileSync(tools, JSON.stringify([{ name: "env", inputSchema }, reading]));

  const effect = await cli(["call", "env", ...serverWords(`--tools=${tools}`)]);
  const read = await cli(["call", "echo", ...serverWords(`--tools=${tools}`)]);

  expect(effect.stderr).toMatch(/^requestId: [0-9a-f-]{36}\n$/);
  expect(read.stderr).toBe("");
});

test.runIf(process.platform === "linux")(
  "a result that cannot be written is not told as a success",
  () => {
    const bin = join(import.meta.dirname, "../src/bin.ts");
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--conditions=@postern/source", bin, "call", "echo", "text=a", ...serverWords()],
      { stdio: ["ignore", full, "pipe"], encoding: "utf8" },
    );
    closeSync(full);

    expect(status).toBe(8);
    expect(stderr).toBe("The result could not be written to standard output: ENOSPC.\n");
  },
);

test("--timeout also bounds the wait for a server that never gets ready", async () => {
  const silent = ["--", process.execPath, "-e", "process.stdin.resume()"];

  const { exitCode, stderr } = await cli(["call", "x", "--timeout", "600", ...silent]);

  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/^No answer to initialize came within \d{3} ms\.\n/);
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

  const { document } = await cliJson([
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
