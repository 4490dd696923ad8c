import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describeTool } from "@postern/protocol/server";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import * as contract from "../../src/contract/index.ts";

const { errorCodes, ...tools } = contract;

proves("TMUX-10", "there are nine tools, each with a file of its own", () => {
  const names = Object.values(tools).map(({ name }) => name);
  const files = readdirSync(join(import.meta.dirname, "../../src/tools"));

  expect(names.sort()).toEqual([
    "clear_buffer",
    "execute_and_wait",
    "get_pane_info",
    "get_receipt",
    "get_server_info",
    "get_tmux_sessions",
    "read_tmux_pane",
    "send_keys_tmux",
    "write_tmux_pane",
  ]);
  expect(files.sort()).toEqual(names.map((name) => `${name.replaceAll("_", "-")}.ts`));
});

test("every refusal of a tool is in the table of codes, and no code is unused", () => {
  const { getReceipt: _receipt, ...own } = tools;
  const used = Object.values(own).flatMap(({ errors }) => Object.keys(errors));

  expect([...new Set(used)].sort()).toEqual(Object.keys(errorCodes).sort());
});

test("a pane is named by a session, a pane id, or both, and nothing else passes", () => {
  const read = tools.readTmuxPane.input;
  const refused = [
    {},
    { window: 0 },
    { session: "" },
    { session: "x".repeat(257) },
    { session: "a", window: -1 },
    { session: "a", pane: 65_536 },
    { session: "a", pane: 0.5 },
    { session: "a", pane: "0" },
    { pane_id: "5" },
    { pane_id: "%" },
    { pane_id: "%1234567890" },
    { session: "a", unknown: 1 },
  ];
  const accepted = [
    { session: "x".repeat(256), window: 65_535, pane: 0 },
    { pane_id: "%123456789" },
    { session: "a", pane_id: "%0" },
  ];

  expect(refused.filter((input) => read.safeParse(input).success)).toEqual([]);
  expect(accepted.filter((input) => !read.safeParse(input).success)).toEqual([]);
});

test("the limits of a read hold exactly at their figures", () => {
  const passes = (field: string, value: number): boolean =>
    tools.readTmuxPane.input.safeParse({ session: "a", [field]: value }).success;

  expect([0, 1, 10_000, 10_001].map((value) => passes("max_lines", value))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect([1_023, 1_024, 1_048_576, 1_048_577].map((value) => passes("max_bytes", value))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("the list of tools stays small: it is paid for in every conversation", () => {
  const listed = Object.values(tools).map((tool) => describeTool(tool));
  const inputs = listed.map(({ outputSchema: _outputSchema, ...rest }) => rest);
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

  // These are pins: a change of either figure is a decision.
  expect([bytes(inputs), bytes(listed)]).toEqual([8_980, 19_890]);
  expect(bytes(inputs)).toBeLessThanOrEqual(9_000);
  expect(bytes(listed)).toBeLessThanOrEqual(20_000);
});
