import { expect, test } from "vitest";
import { mergeConfig } from "../../src/config/merge.ts";

test("an override replaces fields and merges variables by name", () => {
  const base = {
    command: "a",
    args: ["1"],
    env: { A: "1", B: "2" },
    envFrom: { T: { env: "X" } },
    inheritEnv: ["P"],
  };
  const override = { args: ["2"], env: { B: "3" }, inheritEnv: ["P", "Q"], timeoutMs: 5_000 };

  expect(mergeConfig(base, override)).toEqual({
    command: "a",
    args: ["2"],
    env: { A: "1", B: "3" },
    envFrom: { T: { env: "X" } },
    inheritEnv: ["P", "Q"],
    timeoutMs: 5_000,
  });
});

test("another command gets none of the variables meant for the first", () => {
  const base = { command: "a", env: { A: "1" }, envFrom: { T: { env: "X" } }, inheritEnv: ["P"] };

  expect(mergeConfig(base, { command: "b", env: { C: "1" } })).toEqual({
    command: "b",
    env: { C: "1" },
  });
  expect(mergeConfig(base, { command: "a" })).toEqual(base);
});
