import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { fixturePath, logged, processesWith, serverWords, startBin } from "../support.ts";

const logFile = () => join(temporaryDirectory(), "log");

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
