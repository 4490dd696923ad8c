import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { appBin, fixturePath } from "../src/program.ts";

/** How many files the built program loads as modules. */
function modulesOf(...words: readonly string[]): number {
  const hook = `--import=${fixturePath("count-modules.mjs")}`;
  const { stderr } = spawnSync(process.execPath, [hook, appBin("mcp-client"), ...words], {
    encoding: "utf8",
  });
  return Number(/modules: (\d+)/.exec(stderr)?.[1]);
}

test("the built client loads few files: two for --version, a dozen for a call", () => {
  const server = ["--", process.execPath, fixturePath("server.mjs")];

  expect(modulesOf("--version")).toBe(2);
  expect(modulesOf("call", "echo", "text=hi", ...server)).toBeLessThanOrEqual(12);
});
