import { existsSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { privateTmux } from "../rig/private-tmux.ts";
import { readingApp, readingTools, refusalOf } from "../rig/reading-app.ts";

const work = { session: "work" };

proves(
  ["TMUX-14", "TMUX-19"],
  "names of any content are listed and addressed exactly, and run nothing",
  async () => {
    const { socket, tmux } = await privateTmux();
    const { sessions, read } = readingTools(readingApp({ socket }));
    const witness = join(temporaryDirectory(), "X");
    const names = [
      `#(touch ${witness.replaceAll(".", "_")})`,
      "#{pid}",
      'a b"c',
      "$1",
      "%3",
      "=x",
      "-t",
      "@2",
      "émoji 😀",
      "w*d",
      "[x]",
      "'q'",
      "{last}",
      "!",
    ];
    for (const name of names) {
      await tmux("new-session", "-d", "-s", name.replaceAll("#", "##"), "sleep", "1000");
    }
    // tmux itself escapes a dollar before a letter; the name it keeps is the session's name.
    await tmux("new-session", "-d", "-s", 'a b"c$d', "sleep", "1000");
    names.push('a b"c\\$d');
    const windowNames = ["a:b:1", "tab\tin", "line\nbreak", `#(touch ${witness})`, "#{pid}", "\\"];
    // A name given to a new window is kept as it is, tabs and newlines included.
    for (const [index, name] of windowNames.entries()) {
      const place = `work:${String(index + 1)}`;
      await tmux(
        "new-window",
        "-d",
        "-t",
        place,
        "-n",
        name.replaceAll("#", "##"),
        "sleep",
        "1000",
      );
    }
    const listed = await sessions({ detail: true });
    const workWindows = listed.sessions.find(({ name }) => name === "work")?.window_list ?? [];

    expect(listed.sessions.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(workWindows.slice(1).map(({ index, name }) => [index, name])).toEqual(
      windowNames.map((name, index) => [index + 1, name]),
    );
    for (const { name, id } of listed.sessions) {
      const answer = await read({ session: name });
      expect(answer.target).toBe(`${name}:0.0`);
      expect(await tmux("display-message", "-p", "-t", answer.pane_id, "#{session_id}")).toBe(id);
    }
    expect(existsSync(witness)).toBe(false);
  },
);

test("any session name resolves to itself", async () => {
  const { socket, tmux } = await privateTmux();
  const { sessions, read } = readingTools(readingApp({ socket }));
  // A name ends up in tmux as it prints it; what it prints must lead back to the same session.
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }),
      async (wanted) => {
        await tmux("rename-session", "-t", "$0", "--", wanted.replaceAll("#", "##")).catch(
          () => undefined,
        );
        const name = (await sessions()).sessions[0]?.name ?? "";

        expect((await read({ session: name })).target).toBe(`${name}:0.0`);
        await expect(read({ session: `${name}x` })).rejects.toMatchObject({
          code: "session_not_found",
        });
      },
    ),
    { numRuns: 30 },
  );
});

proves("TMUX-16", "a cached target follows what the list of the same moment says", async () => {
  const { socket, tmux, print } = await privateTmux();
  const { read } = readingTools(readingApp({ socket }));
  await print("work:0.0", "first\n");
  const first = await read(work);

  await tmux("new-window", "-d", "-t", "work:7", "sleep", "1000");
  await tmux("move-window", "-s", "work:0", "-t", "work:9");
  const lowest = await read(work);
  const moved = await read({ ...work, window: 9 });
  await tmux("rename-session", "-t", "work", "renamed");
  const renamed = await refusalOf(read(work));
  await tmux("new-session", "-d", "-s", "work", "sleep", "1000");
  const other = await read(work);

  expect(first.new_lines).toEqual(["first"]);
  expect(lowest).toMatchObject({ target: "work:7.0", anchor: "new", new_lines: [] });
  expect(moved).toMatchObject({ target: "work:9.0", pane_id: first.pane_id, new_lines: [] });
  expect(renamed.code).toBe("session_not_found");
  expect(other.pane_id).not.toBe(lowest.pane_id);
});

proves("TMUX-15", "a pane that is gone is refused, and never another pane's text", async () => {
  const { socket, tmux } = await privateTmux();
  const { read } = readingTools(readingApp({ socket }));
  await tmux("split-window", "-t", "work", "sleep", "1000");
  const { pane_id } = await read({ ...work, pane: 1 });
  await tmux("kill-pane", "-t", "work:0.1");

  expect((await refusalOf(read({ pane_id }))).code).toBe("pane_not_found");
  expect(await refusalOf(read({ ...work, pane: 1 }))).toMatchObject({
    code: "pane_not_found",
    data: { panes: [0] },
  });
});

test("a window of several sessions is read through an allowed one only", async () => {
  const { socket, tmux, print } = await privateTmux();
  await tmux("new-session", "-d", "-s", "group", "-t", "work");
  await tmux("new-session", "-d", "-s", "linked", "sleep", "1000");
  await tmux("link-window", "-s", "work:0", "-t", "linked:5");
  await tmux("new-session", "-d", "-s", "other", "sleep", "1000");
  await print("work:0.0", "shared\n");
  const target = async (allowed: string): Promise<string> => {
    const { read } = readingTools(readingApp({ socket, config: { allowed_sessions: [allowed] } }));
    return read({ pane_id: "%0" }).then(
      (answer) => answer.target,
      (error: { code: string }) => error.code,
    );
  };

  expect(await target("work")).toBe("work:0.0");
  expect(await target("group")).toBe("group:0.0");
  expect(await target("linked")).toBe("linked:5.0");
  expect(await target("other")).toBe("pane_not_found");
});

test("panes killed and renamed while they are read are refused or right", async () => {
  const { socket, tmux } = await privateTmux({
    command: ["sh", "-c", "echo home; exec sleep 1000"],
  });
  const { read } = readingTools(readingApp({ socket }));
  const churn = async (): Promise<"over"> => {
    for (let round = 0; round < 15; round += 1) {
      await tmux("split-window", "-d", "-t", "work", "echo other; exec sleep 1000");
      await tmux("swap-pane", "-d", "-s", "work:0.0", "-t", "work:0.1");
      await tmux("kill-pane", "-t", "work:0.1");
      await tmux("split-window", "-d", "-b", "-t", "work:0.0", "echo home; exec sleep 1000");
      await tmux("kill-pane", "-t", "work:0.1");
    }
    return "over";
  };
  const ids = Array.from({ length: 300 }, (_none, index) => `%${String(index % 31)}`);
  const reads = ids.map(async (pane_id) => ({
    pane_id,
    found: await read({ pane_id }).then(
      (answer) => answer.pane_id,
      (error: { code: string }) => error.code,
    ),
  }));
  const [over, ...answers] = await Promise.all([churn(), ...reads]);

  expect(over).toBe("over");
  const wrong = answers.filter(
    ({ pane_id, found }) => ![pane_id, "pane_not_found", "too_many_in_flight"].includes(found),
  );
  expect(wrong).toEqual([]);
});

proves("TMUX-33", "the list has counts and, with detail, windows and panes", async () => {
  const { socket, tmux } = await privateTmux();
  await tmux("split-window", "-d", "-t", "work", "sleep", "1000");
  await tmux("new-window", "-d", "-t", "work", "-n", "logs", "sleep", "1000");
  await tmux("new-session", "-d", "-s", "other", "sleep", "1000");
  const tools = readingTools(readingApp({ socket }));
  const fenced = readingTools(readingApp({ socket, config: { allowed_sessions: ["other"] } }));
  const plain = await tools.sessions();
  const detailed = await tools.sessions({ detail: true });

  expect(plain).toMatchObject({
    sessions: [
      { name: "other", windows: 1, panes: 1, total_panes: 1, attached: 0 },
      { name: "work", windows: 2, panes: 2, total_panes: 3, attached: 0 },
    ],
    count: 2,
    truncated: false,
  });
  expect(plain.sessions[0]).not.toHaveProperty("window_list");
  expect(detailed.sessions[1]?.window_list).toMatchObject([
    { index: 0, active: true, panes: [{ index: 0, current_command: "sleep" }, { index: 1 }] },
    { index: 1, name: "logs", active: false, panes: [{ index: 0, width: 100, height: 30 }] },
  ]);
  expect(await fenced.sessions()).toMatchObject({ sessions: [{ name: "other" }], count: 1 });
});

proves(
  "TMUX-87",
  "what the user hides is neither listed nor read, from that moment on and at each level",
  async () => {
    const { socket, tmux } = await privateTmux();
    await tmux("new-session", "-d", "-s", "other", "sleep", "1000");
    const { sessions, read } = readingTools(readingApp({ socket }));
    await read(work);
    const levels = [
      ["-g", "@postern_all"],
      ["-t", "work", "@postern_session"],
      ["-w", "-t", "work:0", "@postern_window"],
      ["-p", "-t", "work:0.0", "@postern_pane"],
    ];
    for (const level of levels) {
      for (const value of ["off", "no,such}value#{pid}"]) {
        await tmux("set-option", ...level, value);
        expect((await refusalOf(read(work))).code).toBe("hidden_by_user");
        expect((await sessions()).sessions.map(({ name }) => name)).not.toContain("work");
      }
      await tmux("set-option", ...level, "read");
      expect(await read(work)).toMatchObject({ target: "work:0.0" });
      await tmux("set-option", "-u", ...level);
    }
    expect((await sessions()).count).toBe(2);
  },
);

proves(
  "TMUX-34",
  "the server describes itself, with home shown as ~ where it is to be hidden",
  async () => {
    const { socket } = await privateTmux();
    const app = readingApp({ socket });
    const { read, info } = readingTools(app);
    await read(work);
    const remote = readingTools({ ...app, homeToHide: "/home/user" });

    expect(await info()).toMatchObject({
      version: "1.2.3",
      write_enabled: false,
      tmux_available: true,
      config_path: "/home/user/.config/mcp-tmux/config.json",
      buffer_count: 1,
      server_running: true,
      socket_path: socket,
      command_allowlist: false,
      protocol_revisions: ["2025-11-25", "2026-07-28"],
    });
    expect((await remote.info()).config_path).toBe("~/.config/mcp-tmux/config.json");
  },
);
