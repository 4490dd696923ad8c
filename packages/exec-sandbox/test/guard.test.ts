import { proves } from "@postern/testing";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { newTag, tagged } from "./programs.ts";

const program = fileURLToPath(new URL("../src/guard.ts", import.meta.url));
const marker = "0123456789abcdef0123456789abcdef";

function sleeper(tag: string): ChildProcess {
  return spawn("sleep", [tag], {
    detached: true,
    stdio: "ignore",
    env: { POSTERN_RUN: marker, PATH: process.env["PATH"] },
  });
}

/** Runs the guard as it is where `xargs` is missing: the pid comes over its input. */
function guard(mark: string, input: string): number | null {
  const steps = JSON.stringify([{ step: "TERM", graceMs: 1_000 }]);
  return spawnSync(process.execPath, [program, mark, steps], { input, stdio: "pipe" }).status;
}

proves("EXEC-22", "the guard ends nothing without a whole mark and a pid", () => {
  const tag = newTag();
  const { pid = 0 } = sleeper(tag);

  for (const [mark, input] of [
    ["", String(pid)],
    ["0", String(pid)],
    [marker, ""],
    [marker, "0"],
    [marker, "-1"],
  ] as const) {
    expect(guard(mark, input)).toBe(1);
  }

  expect(tagged(tag)).toEqual([pid]);
});

proves("EXEC-22", "the guard ends the tree whose pid it reads from its input", () => {
  const tag = newTag();
  const { pid } = sleeper(tag);

  const status = guard(marker, `${String(pid)}\n`);

  expect(status).toBe(0);
  expect(tagged(tag)).toEqual([]);
});
