import { execFileSync } from "node:child_process";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import type { KeyName } from "../../src/domain/key-names.ts";
import { createPanes } from "../../src/tmux/panes.ts";
import { createTmux } from "../../src/tmux/run-tmux.ts";
import { type PaneWrite, writePane } from "../../src/tmux/write-pane.ts";
import { writeScript } from "../../src/tmux/write-script.ts";
import { privateTmux } from "../rig/private-tmux.ts";
import { recordingPane } from "../rig/writing-rig.ts";

const steps: PaneWrite["steps"] = [
  { kind: "paste", text: "it's\ttext" },
  { kind: "press", key: "Enter" as KeyName, repeat: 2 },
];

const sign = "typing %1";

async function guarded() {
  const server = await privateTmux();
  const recorded = await recordingPane(server, "raw");
  const environment = { PATH: process.env["PATH"] };
  const tmux = createTmux({ path: "tmux", socket: server.socket, timeoutMs: 5_000, environment });
  const look = await createPanes(tmux, []).look({ session: "raw" }, 0);
  return { ...server, recorded, tmuxClient: tmux, look, pane: look.row };
}

proves(
  "TMUX-44",
  "tmux itself compares the pane with what was seen, and types only if nothing has changed",
  async () => {
    const { tmux, recorded, tmuxClient, look, pane } = await guarded();
    const { cursorX, cursorY, historySize } = look.facts;
    const place = { cursorX, cursorY, historySize };
    const attempt = async (write: Partial<PaneWrite>): Promise<string> =>
      (await writePane(tmuxClient, { pane, steps, sign, leaveCopyMode: false, ...write })).kind;
    const changes: [set: string[], undo: string[]][] = [
      [
        ["copy-mode", "-t", "raw"],
        ["copy-mode", "-q", "-t", "raw"],
      ],
      [
        ["select-pane", "-d", "-t", "raw"],
        ["select-pane", "-e", "-t", "raw"],
      ],
      [
        ["set", "-w", "-t", "raw", "synchronize-panes"],
        ["set", "-w", "-t", "raw", "synchronize-panes"],
      ],
      [
        ["set", "-p", "-t", "raw", "@postern_pane", "read"],
        ["set", "-pu", "-t", "raw", "@postern_pane"],
      ],
      [
        ["set", "-g", "@postern_all", "off"],
        ["set", "-gu", "@postern_all"],
      ],
    ];
    for (const [set, undo] of changes) {
      await tmux(...set);
      expect(await attempt({})).toBe("refused");
      await tmux(...undo);
    }
    for (const other of [
      { sessionId: "$9" },
      { windowId: "@9" },
      { paneId: "%9" },
      { panePid: pane.panePid + 1 },
    ]) {
      expect(await attempt({ pane: { ...pane, ...other } })).toBe("refused");
    }
    for (const moved of [{ cursorX: 1 }, { cursorY: 9 }, { historySize: 1 }]) {
      expect(await attempt({ unmovedSince: { ...place, ...moved } })).toBe("refused");
    }

    expect(recorded.bytes()).toBe("");
    expect(await attempt({ unmovedSince: place })).toBe("applied");
    await recorded.received("it's\ttext\r\r");
  },
);

proves(
  ["TMUX-43", "TMUX-94"],
  "a script that is cut off anywhere types nothing and leaves no buffer",
  async () => {
    const { socket, tmux, recorded, pane } = await guarded();
    const order = {
      pane,
      steps,
      sign,
      leaveCopyMode: false,
      bufferName: "postern-x",
      pasteUnchanged: false,
    };
    const script = writeScript(order);
    const send = (input: string): void => {
      try {
        execFileSync("tmux", ["-u", "-S", socket, "source-file", "-"], { input, stdio: "pipe" });
      } catch {
        // tmux reports a syntax error, as it should.
      }
    };
    for (let length = 0; length < script.trimEnd().length; length += 1) {
      // Where a command or a branch may end, and now and then elsewhere.
      if (length % 7 === 0 || /[}\n]/.test(script.slice(length - 1, length + 1))) {
        send(script.slice(0, length));
      }
    }

    expect(recorded.bytes()).toBe("");
    expect(await tmux("list-buffers")).toBe("");
    send(script);
    await recorded.received("it's\ttext\r\r");
  },
);

proves("TMUX-44", "among racing changes no text arrives after one that forbids it", async () => {
  const { tmux, tmuxClient, recorded, pane } = await guarded();
  // tmux's own hooks write down the order in which it ran the changes and the pastes.
  await tmux("set", "-g", "@order", "");
  await tmux("set-hook", "-g", "after-paste-buffer", "set -ag @order P");
  const forbid = [
    ["copy-mode", "-t", "raw"],
    ["set", "-p", "-t", "raw", "@postern_pane", "read"],
    ["select-pane", "-d", "-t", "raw"],
  ];
  const allow = [
    "copy-mode",
    "-q",
    "-t",
    "raw",
    ";",
    "set",
    "-pu",
    "-t",
    "raw",
    "@postern_pane",
    ";",
    "select-pane",
    "-e",
    "-t",
    "raw",
  ];
  let applied = 0;
  for (let round = 0; round < 45; round += 1) {
    const change = [...(forbid[round % forbid.length] ?? []), ";", "set", "-ag", "@order", "F"];
    const write = { pane, steps, sign, leaveCopyMode: false };
    const [outcome] = await Promise.all([writePane(tmuxClient, write), tmux(...change)]);
    if (outcome.kind === "applied") applied += 1;
    const late = await writePane(tmuxClient, write);
    expect(late.kind).toBe("refused");
    await tmux(...allow, ";", "set", "-ag", "@order", "A");
  }

  const order = await tmux("show", "-gv", "@order");
  expect(order).not.toMatch(/F[^A]*P/);
  expect(order.split("P").length - 1).toBe(applied);
  await recorded.received("it's\ttext\r\r".repeat(applied));
});

proves(
  "TMUX-44",
  "no text reaches a pane whose program was replaced or whose place was taken",
  async () => {
    const { tmux, tmuxClient } = await guarded();
    await tmux("set", "-g", "@order", "");
    await tmux("set-hook", "-g", "after-paste-buffer", "set -ag @order P");
    const panes = createPanes(tmuxClient, []);
    const changes = [
      ["respawn-pane", "-k", "-t", "raw"],
      ["split-window", "-b", "-t", "raw", "sleep", "1000", ";", "kill-pane", "-a", "-t", "raw"],
      ["break-pane", "-d", "-s", "raw", "-t", "work:"],
    ];
    let applied = 0;
    for (let round = 0; round < 15; round += 1) {
      await tmux("new-session", "-d", "-s", `raw${String(round)}`, "sleep", "1000");
      const session = `raw${String(round)}`;
      const { row: pane } = await panes.look({ session }, 0);
      const change = (changes[round % changes.length] ?? []).map((word) =>
        word === "raw" ? session : word,
      );
      const write = { pane, steps, sign, leaveCopyMode: false };
      const [outcome] = await Promise.all([
        writePane(tmuxClient, write),
        tmux(...change, ";", "set", "-ag", "@order", "F"),
      ]);
      if (outcome.kind === "applied") applied += 1;
      expect((await writePane(tmuxClient, write)).kind).not.toBe("applied");
      await tmux("set", "-ag", "@order", "A");
    }
    const order = await tmux("show", "-gv", "@order");

    expect(order).not.toMatch(/F[^A]*P/);
    expect(order.split("P").length - 1).toBe(applied);
  },
);
