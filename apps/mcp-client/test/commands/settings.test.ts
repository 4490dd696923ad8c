import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, proves, requirePart, temporaryDirectory } from "@postern/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { unwrap } from "../../src/index.ts";
import { settings } from "../../src/settings/index.ts";
import { cli, cliJson, fixturePath, serverWords } from "../support.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryDirectory();
  process.env["XDG_STATE_HOME"] = join(folder, "state");
});

test("settings are added, changed, renamed, used and removed from the command line", async () => {
  const empty = await cli(["settings", "list"]);
  expect([empty.stdout, existsSync(join(folder, "state"))]).toEqual([
    "No settings are stored.\n",
    false,
  ]);

  await cli(["settings", "add", "files", "--timeout", "5000", ...serverWords()]);
  await cli(["settings", "set", "files", "--env", "LEVEL=2"]);
  await cli(["settings", "set", "part", "--timeout", "600"]);
  const { document } = await cliJson(["settings", "list"]);
  const called = await cli(["call", "files", "echo", "text=hi"]);
  const dry = await cli(["call", "files", "echo", "--dry-run"]);

  expect(document.result.entries).toEqual([
    { name: "files", holds: "stdio server" },
    { name: "part", holds: "part of a server" },
  ]);
  expect(called).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"text":"hi"') });
  expect(dry.stdout).toContain("setting timeoutMs = 5000 (settings)");
  expect((await cli(["settings", "rename", "files", "docs"])).exitCode).toBe(0);
  expect((await cli(["settings", "remove", "part"])).exitCode).toBe(0);
  expect(unwrap(await settings.names())).toEqual(["docs"]);
});

test("what cannot be is refused with the nearest word", async () => {
  const rows: [string[], RegExp][] = [
    [["lst"], /Did you mean list\?/],
    [["show"], /takes 1 word/],
    [["show", "none"], /no entry "none"/],
    [["add", "files"], /needs a URL, or -- and a command/],
    [["add", "No", ...serverWords()], /small letters/],
    [["set", "files", "--timeout", "5"], /"timeoutMs" is not usable/],
    [["set", "files", "--secret", "TOKEN=canary"], /--secret TOKEN needs a source/],
    [["set", "files", "--secret", "TOKEN=prompt"], /needs a terminal/],
    [["set", "files", "--secret", "TOKEN=env:NOT_SET"], /NOT_SET is not set/],
  ];
  for (const [words, message] of rows) {
    const { exitCode, stdout, stderr } = await cli(["settings", ...words]);
    expect([words, exitCode, stdout]).toEqual([words, 2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("canary");
  }
  await cli(["settings", "add", "files", ...serverWords()]);
  const twice = await cli(["settings", "add", "files", ...serverWords()]);
  expect([twice.exitCode, twice.stderr.includes("settings set changes it")]).toEqual([2, true]);
});

proves(
  "CLNT-87",
  "an entry of the settings is laid over the file's entry of that name",
  async () => {
    const path = join(folder, "config.json");
    const [, command, ...args] = serverWords();
    const files = { command, args, env: { A: "file", B: "file" }, timeoutMs: 5_000 };
    writeFileSync(path, JSON.stringify({ servers: { files } }), { mode: 0o600 });
    unwrap(await settings.save("files", { env: { B: "sealed" }, timeoutMs: 6_000 }));

    const { document } = await cliJson(["call", "files", "env", "--config", path]);
    const dry = await cli(["call", "files", "env", "--dry-run", "--config", path]);
    unwrap(
      await settings.save("files", {
        command: process.execPath,
        args: [fixturePath("server.mjs")],
        cwd: folder,
      }),
    );
    const same = await cliJson(["call", "files", "env", "--config", path]);
    unwrap(await settings.save("files", { command: "node" }));
    const moved = await cliJson(["call", "files", "env", "--config", path]);

    expect(document.result.structuredContent.env).toMatchObject({ A: "file", B: "sealed" });
    expect(dry.stdout).toContain("setting timeoutMs = 6000 (settings)");
    expect(dry.stdout).toContain(`setting command = ${JSON.stringify(command)} (${path})`);
    expect(same.document.result.structuredContent.env).toMatchObject({ A: "file" });
    expect(moved.document.result.structuredContent.env).not.toHaveProperty("A");
  },
);

proves(
  "CLNT-89",
  "secrets come from a variable, a file or a silent prompt, and are shown as [secret]",
  async (context) => {
    process.env["CANARY"] = "canary-variable";
    const file = join(folder, "token");
    writeFileSync(file, "canary-file\n", { mode: 0o600 });
    const secrets = ["--secret", "A=env:CANARY", "--secret", `B=file:${file}`];
    await cli(["settings", "add", "files", ...secrets, ...serverWords()]);

    const shown = [
      await cli(["settings", "show", "files"]),
      await cli(["settings", "show", "files", "--json"]),
      await cli(["settings", "set", "files", "--env", "C=canary-literal", "--json"]),
    ];
    const { document } = await cliJson(["call", "files", "env"]);

    expect(JSON.stringify(shown)).not.toContain("canary");
    expect(shown[0]?.stdout).toContain('"A": "[secret]"');
    expect(document.result.structuredContent.env).toMatchObject({
      A: "canary-variable",
      B: "canary-file",
    });

    const remote = ["settings", "add", "remote", "https://example.com/mcp"];
    await cli([...remote, "--secret", "authToken=env:CANARY", "--secret", `X-Key=file:${file}`]);
    const masked = await cliJson(["settings", "show", "remote"]);
    expect(masked.document.result.entry).toEqual({
      url: "https://example.com/mcp",
      headers: { "X-Key": "[secret]" },
      authToken: "[secret]",
    });
    expect(unwrap(await settings.load("remote"))).toMatchObject({ authToken: "canary-variable" });

    await cli(["settings", "add", "shared", "--secret", "secret=env:CANARY"]);
    const one = await cli(["settings", "show", "shared"]);
    const envFrom = { S: { setting: "shared" } };
    unwrap(
      await settings.save("uses", {
        command: process.execPath,
        args: [fixturePath("server.mjs")],
        envFrom,
      }),
    );
    const uses = await cliJson(["call", "uses", "env"]);
    const absent = { S: { setting: "absent" } };
    unwrap(await settings.save("lacks", { command: process.execPath, envFrom: absent }));
    const lacks = await cli(["call", "lacks", "env"]);
    const asServer = await cli(["call", "shared", "env"]);
    const check = await cli(["settings", "check"]);
    expect(one.stdout).toBe('{\n  "secret": "[secret]"\n}\n');
    expect(uses.document.result.structuredContent.env).toMatchObject({ S: "canary-variable" });
    expect([lacks.exitCode, lacks.stderr]).toEqual([
      2,
      expect.stringContaining('no secret "absent"'),
    ]);
    expect([asServer.exitCode, asServer.stderr]).toEqual([
      2,
      expect.stringContaining("hold a secret"),
    ]);
    expect(check.stdout).toContain("ok   shared");
    const mixed = await settings.save("shared", { secret: "a", command: "x" });
    expect(mixed.error?.message).toContain("a secret stands beside");

    const tmux = requirePart(context, "tmux", "apt-get install tmux");
    const socket = join(folder, "t");
    const run = (...words: string[]) =>
      execFileSync(tmux, ["-S", socket, "-f", "/dev/null", ...words], { encoding: "utf8" });
    onTestFinished(() => void run("kill-server"));
    const bin = join(import.meta.dirname, "../../src/bin.ts");
    const argv = [process.execPath, "--conditions=@postern/source", bin];
    const words = ["settings", "set", "files", "--secret", "D=prompt"];
    run(
      "new-session",
      "-d",
      "-x",
      "120",
      "-y",
      "20",
      ...argv,
      ...words,
      ";",
      "set",
      "remain-on-exit",
      "on",
    );
    const screen = () => run("capture-pane", "-p");
    await eventually(() => screen().includes("Value of D"));
    run("send-keys", "-l", "canary-typed");
    run("send-keys", "X", "BSpace", "Enter");
    await eventually(() => screen().includes('Saved "files"'));

    expect(screen()).not.toContain("canary");
    expect(unwrap(await settings.load("files"))).toMatchObject({
      env: { A: "canary-variable", D: "canary-typed" },
    });
  },
);

proves(
  "CLNT-117",
  "settings check needs no network and starts nothing; help fits one screen; a wrong flag names the nearest",
  async () => {
    const path = join(folder, "config.json");
    const marker = join(folder, "started");
    const touch = ["-e", `require("fs").writeFileSync(${JSON.stringify(marker)}, "")`];
    const servers = { good: { command: process.execPath, args: touch } };
    writeFileSync(path, JSON.stringify({ servers }), { mode: 0o600 });
    unwrap(await settings.save("part", { timeoutMs: 600 }));

    const all = await cli(["settings", "check", "--config", path]);
    const one = await cliJson(["settings", "check", "good", "--config", path]);
    const none = await cli(["settings", "check", "goood", "--config", path]);

    expect(all.exitCode).toBe(2);
    expect(all.stdout).toMatch(/^ok {3}good\nfail part: .*"command"/);
    expect([one.exitCode, one.document.result.servers]).toEqual([0, [{ name: "good", ok: true }]]);
    expect(none.exitCode).toBe(2);
    expect(existsSync(marker)).toBe(false);

    const help = await cli(["--help"]);
    const lines = help.stdout.trimEnd().split("\n");
    expect([lines.length <= 24, lines.every((line) => line.length <= 100)]).toEqual([true, true]);
    const flag = await cli(["settings", "check", "--confg", path]);
    expect([flag.exitCode, flag.stderr.includes("Did you mean --config?")]).toEqual([2, true]);
  },
);
