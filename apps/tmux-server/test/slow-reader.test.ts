import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { eventually, temporaryDirectory } from "@postern/testing";
import { expect, onTestFinished, test } from "vitest";
import { privateTmux } from "./rig/private-tmux.ts";
import { seq } from "./rig/reading-rig.ts";

const bin = join(import.meta.dirname, "../src/bin.ts");

/** Starts the program over a pane that holds about a megabyte; whoever called it need not read. */
async function serving() {
  const rig = await privateTmux({ historyLimit: 12_000 });
  await rig.print("work:0.0", seq(1, 9_000).replaceAll("\n", `${" long line".repeat(9)}\n`));
  const home = temporaryDirectory();
  const child = spawn(
    process.execPath,
    ["--conditions=@postern/source", bin, "--socket", rig.socket, "--log-level", "info"],
    { env: { HOME: home, PATH: process.env["PATH"] } },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const params = {
    session: "work",
    force_full_read: true,
    max_lines: 10_000,
    max_bytes: 1_048_576,
  };
  const read = (id: number): void => {
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, method: "read_tmux_pane", params })}\n`,
    );
  };
  return { child, read, log: () => log, exited: once(child, "exit") };
}

test("a slow reader gets every answer, whole and in order", async () => {
  const { child, read, exited } = await serving();
  const ids = Array.from({ length: 6 }, (_none, index) => index + 1);
  for (const id of ids) read(id);
  const answered: unknown[] = [];
  let line = "";
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    line += chunk.toString("latin1");
    if (!line.endsWith("\n")) continue;
    answered.push((JSON.parse(line) as { id: number }).id);
    line = "";
    if (answered.length === ids.length) child.stdin.end();
  }
  const [code] = await exited;

  expect(answered).toEqual(ids);
  expect(code).toBe(0);
}, 60_000);

test("a closed output ends the program with 1, and its log says why", async () => {
  const { child, read, log, exited } = await serving();
  child.stdout.destroy();
  read(1);

  expect((await exited)[0]).toBe(1);
  await eventually(() => log().includes("output_broken"));
}, 60_000);
