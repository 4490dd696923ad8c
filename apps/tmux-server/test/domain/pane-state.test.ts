import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { configSchema } from "../../src/config.ts";
import { cursorLine } from "../../src/domain/cursor-line.ts";
import { judgePane, type PaneEvidence } from "../../src/domain/pane-state.ts";
import { captured } from "../rig/captured.ts";

const suffixes = configSchema.parse({}).prompt_suffixes;
const idleBash: PaneEvidence = {
  dead: false,
  inMode: false,
  alternateScreen: false,
  command: "bash",
  tty: "line_editor",
  leftOfCursor: "user@host:~$ ",
  rightOfCursor: "",
  columnsRight: 20,
};

function state(evidence: Partial<PaneEvidence>): string {
  return judgePane({ ...idleBash, ...evidence }, suffixes).state;
}

proves("TMUX-35", "the first state that fits is told", () => {
  const everything = { dead: true, inMode: true, alternateScreen: true, tty: "password" } as const;

  expect(state(everything)).toBe("dead");
  expect(state({ ...everything, dead: false })).toBe("copy_mode");
  expect(state({ ...everything, dead: false, inMode: false })).toBe("alternate_screen");
  expect(state({ tty: "password" })).toBe("password");
  expect(state({ leftOfCursor: "> " })).toBe("continuation");
  expect(state({})).toBe("prompt");
  expect(state({ leftOfCursor: "$ ls" })).toBe("draft");
  expect(state({ command: "vim" })).toBe("running");
});

proves(
  ["TMUX-36", "TMUX-37"],
  "a prompt needs a shell, its line editor and the look of a prompt",
  () => {
    expect(state({ command: "-bash" })).toBe("prompt");
    expect(state({ command: "/usr/bin/zsh", leftOfCursor: "~ % " })).toBe("prompt");
    expect(state({ tty: "line" })).toBe("running");
    expect(state({ tty: "unknown" })).toBe("running");
    expect(state({ command: "dash", tty: "line", leftOfCursor: "$ " })).toBe("prompt");
    expect(state({ command: "dash", tty: "line", leftOfCursor: "$ l" })).toBe("running");
    expect(state({ leftOfCursor: "$" })).toBe("draft");
    expect(state({ rightOfCursor: "ls" })).toBe("draft");
    expect(state({ rightOfCursor: " x" })).toBe("draft");
    expect(state({ rightOfCursor: "             12:00" })).toBe("prompt");
    expect(state({ command: "zsh", leftOfCursor: "cmdand dquote> " })).toBe("continuation");
    expect(state({ command: "bash", leftOfCursor: "dquote> " })).toBe("prompt");
  },
);

proves(
  "TMUX-37",
  "a draft stays a draft, whatever it ends in and wherever its cursor stands",
  () => {
    expect(state({ leftOfCursor: "$ echo boom > /tmp/x # " })).toBe("draft");
    expect(state({ leftOfCursor: "$ echo foo > " })).toBe("draft");
    expect(state({ leftOfCursor: "me@host:~$ echo price $ " })).toBe("draft");
    expect(state({ leftOfCursor: "> def # " })).toBe("draft");
    expect(state({ rightOfCursor: "  ; touch /tmp/x" })).toBe("draft");
    expect(state({ rightOfCursor: "  ; touch /tmp/x", columnsRight: 80 })).toBe("draft");
    expect(state({ command: "python3", leftOfCursor: ">>> x = 1 > " })).toBe("running");
  },
);

proves(
  "TMUX-37",
  "a silent read by the shell or by sudo with stars is a password by its words",
  () => {
    expect(state({ leftOfCursor: "Passphrase: " })).toBe("password");
    expect(state({ leftOfCursor: "PIN: " })).toBe("password");
    const sudo = { command: "sudo", tty: "line_editor" } as const;
    expect(state({ ...sudo, leftOfCursor: "[sudo] password for me: ***" })).toBe("password");
    expect(state({ ...sudo, leftOfCursor: "Passwort: " })).toBe("password");
    expect(state({ ...sudo, leftOfCursor: "Пароль: " })).toBe("password");
    expect(state({ ...sudo, leftOfCursor: "Enter PIN: " })).toBe("password");
    expect(state({ ...sudo, leftOfCursor: "Password (hint: a): " })).toBe("password");
    expect(state({ leftOfCursor: "me@password-host:~$ " })).toBe("prompt");
  },
);

proves("TMUX-37", "a password is seen by the terminal's mode, and far away by its words", () => {
  const ssh = { command: "ssh", tty: "line_editor" } as const;

  expect(state({ ...ssh, leftOfCursor: "me@host's password: " })).toBe("password");
  expect(state({ ...ssh, leftOfCursor: "Enter passphrase for key /x: " })).toBe("password");
  expect(state({ ...ssh, leftOfCursor: "password changed: ok" })).toBe("running");
  expect(state({ command: "cat", tty: "line", leftOfCursor: "password: " })).toBe("running");
  expect(state({ command: "sudo", tty: "password", leftOfCursor: "" })).toBe("password");
});

proves(
  "TMUX-38",
  "a prompt of another program is detected by its text, and stays a running command",
  () => {
    const judged = judgePane({ ...idleBash, command: "python3", leftOfCursor: "node> " }, suffixes);

    expect(judged).toEqual({
      state: "running",
      promptDetected: true,
      promptSource: "text",
      commandRunning: true,
    });
    expect(judgePane(idleBash, suffixes)).toEqual({
      state: "prompt",
      promptDetected: true,
      promptSource: "shell",
      commandRunning: false,
    });
  },
);

test("the cursor's line is parted by columns, and the dim text of a suggestion does not count", () => {
  const parted = (text: string, cursorX: number, styled = text): object => {
    const snapshot = captured([], { partial: text });
    const lines = snapshot.lines.map((line, index) => (index === 0 ? { ...line, styled } : line));
    return cursorLine({ ...snapshot, lines, facts: { ...snapshot.facts, cursorX } });
  };

  expect(parted("$ ls", 2)).toEqual({ left: "$ ", right: "ls" });
  expect(parted("$", 2)).toEqual({ left: "$ ", right: "" });
  expect(parted("日本❯ x", 6)).toEqual({ left: "日本❯ ", right: "x" });
  expect(parted("é́$ x", 3)).toEqual({ left: "é́$ ", right: "x" });
  expect(parted("$ ls -la", 2, "$ \u001b[2mls -la\u001b[0m")).toEqual({
    left: "$ ",
    right: "      ",
  });
  expect(parted("$ ls -la", 2, "$ \u001b[38;5;8mls\u001b[39m -la")).toEqual({
    left: "$ ",
    right: "   -la",
  });
  expect(parted("$ ls", 2, "$ \u001b[90mls")).toEqual({ left: "$ ", right: "  " });
  expect(parted("$ ls", 2, "$ \u001b[32mls")).toEqual({ left: "$ ", right: "ls" });
});
