import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { VERSION } from "../../src/version.ts";
import { cli, cliJson, serverWords } from "../support.ts";

proves(
  "CLNT-115",
  "servers come from the configuration file, side by side, each with its own outcome",
  async () => {
    const path = join(temporaryDirectory(), "config.json");
    const [, command, ...args] = serverWords();
    const write = (servers: object, more = {}) =>
      writeFileSync(path, JSON.stringify({ servers, ...more }), { mode: 0o600 });
    write({
      good: { command, args },
      cut: { command, args: [...args, "--pages=2"] },
      gone: { command: "/no/such" },
      remote: { url: "http://127.0.0.1:9/mcp" },
    });
    const on = (...words: string[]) => [...words, "--config", path];

    const three = await cliJson(on("list", "good", "cut", "gone"));
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
    expect([remote.exitCode, remote.stderr.includes("connect_failed")]).toEqual([3, true]);
  },
);

test("a broken configuration file is an error with its place, and stays as it is", async () => {
  const path = join(temporaryDirectory(), "config.json");
  const at = async (content: string, mode = 0o600) => {
    writeFileSync(path, content, { mode });
    chmodSync(path, mode);
    const { exitCode, document } = await cliJson(["list", "a", "--config", path]);
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
  const missing = await cliJson(["list", "a", "--config", `${path}.none`]);
  expect(missing.document.error.code).toBe("config_unreadable");
  expect((await cliJson(["list", "a"])).document.error.code).toBe("unknown_server");
});

test("help fits one screen, unknown flags and commands name the nearest", async () => {
  const help = await cli(["--help"]);
  const bare = await cli([]);
  const topic = await cli(["help", "exit-codes"]);
  const version = await cli(["--version"]);
  const flag = await cli(["call", "--dry-rum"]);
  const command = await cli(["lst"]);
  const { version: packed } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"),
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
