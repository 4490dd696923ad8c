import { eventually, proves } from "@postern/testing";
import { expect, test } from "vitest";
import { readingApp, readingTools, refusalOf } from "../rig/reading-app.ts";
import { readingRig, seq, work } from "../rig/reading-rig.ts";

proves("TMUX-29", "a cursor reads on from its place, also in another server process", async () => {
  const { show, read, socket } = await readingRig();
  await show(seq(1, 5));
  const { cursor } = await read(work);
  await show(seq(6, 8));
  await read(work);
  const restarted = readingTools(readingApp({ socket }));
  const again = await restarted.read({ ...work, cursor });
  const own = await restarted.read(work);

  expect(again).toMatchObject({ new_lines: ["6", "7", "8"], anchor: "exact", lines_missed: 0 });
  expect(own).toMatchObject({ anchor: "new" });
  expect((await refusalOf(read({ ...work, cursor: "AAAA" }))).code).toBe("invalid_cursor");
});

test("a cursor of another pane is refused, and it passes no check", async () => {
  const { read, tmux, socket } = await readingRig();
  await tmux("new-session", "-d", "-s", "other", "sleep", "1000");
  const { cursor } = await read(work);
  const fenced = readingTools(readingApp({ socket, config: { allowed_sessions: ["other"] } }));

  expect((await refusalOf(read({ session: "other", cursor }))).code).toBe("invalid_cursor");
  expect((await refusalOf(fenced.read({ ...work, cursor }))).code).toBe("session_not_allowed");
});

proves("TMUX-18", "another pane behind the same index is told and read anew", async () => {
  const { show, read, tmux, print } = await readingRig();
  await show("first pane\n");
  await tmux("split-window", "-t", "work", "sleep", "1000");
  await print("work:0.1", "second pane\n");
  const first = await read(work);
  await read({ ...work, pane: 1 });
  await tmux("swap-pane", "-s", "work:0.0", "-t", "work:0.1");
  const swapped = await read(work);
  const byId = await read({ pane_id: first.pane_id });

  expect(first).toMatchObject({ new_lines: ["first pane"], pane_replaced: false });
  expect(swapped).toMatchObject({ new_lines: ["second pane"], pane_replaced: true, anchor: "new" });
  expect(byId).toMatchObject({ new_lines: [], target: "work:0.1", pane_replaced: false });
});

test("reads stay with their pane when another window becomes active", async () => {
  const { show, read, tmux } = await readingRig();
  await show("shown\n");
  const first = await read(work);
  await tmux("new-window", "-t", "work", "sleep", "1000");

  expect(await read(work)).toMatchObject({
    pane_id: first.pane_id,
    new_lines: [],
    target: "work:0.0",
  });
});

proves(["TMUX-22", "TMUX-31"], "fifty panes read in turn by two callers never mix", async () => {
  const { read, tmux, info } = await readingRig({ width: 40, height: 10 });
  const panes = Array.from({ length: 50 }, (_none, window) => window + 1);
  for (const window of panes) {
    const command = `echo window ${String(window)}; exec sleep 1000`;
    await tmux("new-window", "-d", "-t", `work:${String(window)}`, command);
  }
  await eventually(async () => {
    const cursors = await tmux("list-panes", "-a", "-F", "#{cursor_y}");
    return cursors.split("\n").filter((row) => row === "1").length === 50;
  });
  const seen = [];
  for (const window of panes) {
    for (const caller of ["one", "two"]) seen.push(await read({ ...work, window }, caller));
  }
  const again = [];
  for (const window of panes) again.push(...(await read({ ...work, window }, "one")).new_lines);

  expect(seen.flatMap(({ new_lines }) => new_lines)).toEqual(
    panes.flatMap((window) => [`window ${String(window)}`, `window ${String(window)}`]),
  );
  expect(again).toEqual([]);
  expect((await info({}, "one")).buffer_count).toBe(50);
});

test("reads of one pane at the same time return each line once", async () => {
  const script = "i=0; while :; do echo $((i=i+1)); sleep 0.01; done";
  const { read } = await readingRig({ command: ["sh", "-c", script] });
  const answers = await Promise.all(Array.from({ length: 60 }, () => read(work)));
  const lines = answers.flatMap(({ new_lines }) => new_lines).map(Number);

  expect(lines.sort((a, b) => a - b)).toEqual(lines.map((_line, index) => index + 1));
});

proves(
  "TMUX-32",
  "clearing forgets the caller's positions, and an unknown target none",
  async () => {
    const { show, read, clear, tmux } = await readingRig();
    await tmux("new-window", "-d", "-t", "work", "sleep", "1000");
    await show("line\n");
    await read(work);
    await read({ ...work, window: 1 });
    await read(work, "other");

    expect(await clear({ target: "work:7.7" })).toEqual({ cleared: "work:7.7", count: 0 });
    expect(await clear({ target: "work:0.0" })).toEqual({ cleared: "work:0.0", count: 1 });
    expect(await read(work)).toMatchObject({ anchor: "new", new_lines: ["line"] });
    expect(await clear()).toEqual({ cleared: "all", count: 2 });
    expect(await read(work, "other")).toMatchObject({ anchor: "exact", new_lines: [] });
  },
);
