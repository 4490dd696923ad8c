import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { Positions } from "../../src/domain/positions.ts";

const position = { lines: undefined, screen: 1n };

proves("TMUX-22", "256 positions are kept, and the one used longest ago goes first", () => {
  const positions = new Positions();
  for (let pane = 0; pane < 256; pane += 1) keep(positions, "user", pane);
  expect(positions.count("user")).toBe(256);

  keep(positions, "user", 0);
  keep(positions, "user", 256);

  expect(positions.count("user")).toBe(256);
  expect(positions.get("user", key(0))).toBe(position);
  expect(positions.get("user", key(1))).toBeUndefined();
  expect(positions.get("user", key(2))).toBe(position);
});

test("a position belongs to a caller, a pane and the program in it", () => {
  const positions = new Positions();
  keep(positions, "user", 1);

  expect(positions.get("user", key(1))).toBe(position);
  expect(positions.get("other", key(1))).toBeUndefined();
  expect(positions.get("user", { paneId: "%1", panePid: 99 })).toBeUndefined();
  expect(positions.isReplaced("user", "place 1", key(1))).toBe(false);
  expect(positions.isReplaced("user", "place 1", { paneId: "%1", panePid: 99 })).toBe(true);
  expect(positions.isReplaced("other", "place 1", key(2))).toBe(false);
});

test("positions are cleared by target, by pane id, or all, of one caller only", () => {
  const positions = new Positions();
  for (const pane of [1, 2, 3]) keep(positions, "user", pane);
  keep(positions, "other", 1);

  expect(positions.clear("user", "work:9.9")).toBe(0);
  expect(positions.clear("user", "work:0.1")).toBe(1);
  expect(positions.clear("user", "%2")).toBe(1);
  expect(positions.clear("user")).toBe(1);
  expect(positions.count("other")).toBe(1);
});

function keep(positions: Positions, principal: string, pane: number): void {
  const read = { target: `work:0.${String(pane)}`, place: `place ${String(pane)}` };
  positions.set(principal, key(pane), read, position);
}

function key(pane: number): { paneId: string; panePid: number } {
  return { paneId: `%${String(pane)}`, panePid: 1_000 + pane };
}
