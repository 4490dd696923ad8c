import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { refusalOf } from "../rig/reading-app.ts";
import { atPrompt, recordingPane, work, writingRig } from "../rig/writing-rig.ts";

const raw = { session: "raw" };
const silent = { program: ["sleep", "1000"] };

function bracketed(text: string): string {
  return `\u001b[200~${text}\u001b[201~`;
}

proves(
  ["TMUX-42", "TMUX-43"],
  "text arrives byte for byte, whatever it begins with, contains or looks like",
  async () => {
    const rig = await writingRig(silent);
    const pane = await recordingPane(rig, "raw");
    const witness = join(temporaryDirectory(), "X");
    const short = "a; ; a;; \\; \\ -foo -- ' a'b'' \"$HOME\" ~root #{pid} { } A=1 \\n a\tb %if";
    const texts = [
      ...short.split(" "),
      `#(touch ${witness})`,
      "-b zz",
      "} x {",
      "%if 1",
      "# c",
      " ",
      "é 😀 ❤️ 👨‍👩‍👧 \u200b\u202e\ufeff",
      "\u2028\u{10ffff}",
      "x".repeat(59_999),
      "'".repeat(60_000),
      "😀".repeat(15_000),
    ];
    for (const text of texts) {
      await rig.write({ ...raw, text });
      await pane.received(text);
    }

    await rig.write({ ...raw, text: "one\r\n\ntwo" });
    await pane.received("one\r\rtwo");
    const lines = Array.from({ length: 100 }, (_none, index) => `line ${String(index)}`);
    await rig.write({ ...raw, text: `${lines.join("\n")}\n` });
    await pane.received(lines.map((line) => `${line}\r`).join(""));
    expect(existsSync(witness)).toBe(false);
    expect(await rig.tmux("list-buffers")).toBe("");
  },
);

proves("TMUX-43", "random text arrives byte for byte, typed or as one block", async () => {
  const rig = await writingRig(silent);
  const pane = await recordingPane(rig, "raw", "bracketed");
  const line = fc
    .string({ unit: "binary", minLength: 1 })
    .map((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, "\t"));
  const block = fc.array(fc.oneof(line, fc.constantFrom("", "#", "\\", "}", "{", "%endif")), {
    minLength: 1,
    maxLength: 6,
  });

  await fc.assert(
    fc.asyncProperty(line, block, async (text, lines) => {
      await rig.write({ ...raw, text });
      await pane.received(bracketed(text));
      const body = `x${lines.join("\n")}x`;
      await rig.write({ ...raw, text: `${body}\n\n`, paste: true });
      await pane.received(`${bracketed(body)}\r\r`);
    }),
    { numRuns: 30 },
  );
  expect(await rig.tmux("list-buffers")).toBe("");
});

proves("TMUX-42", "what is no text, or too long, is refused before anything is sent", async () => {
  const rig = await writingRig(silent);
  const pane = await recordingPane(rig, "raw");
  const refused = async (args: object): Promise<string> =>
    (await refusalOf(rig.write({ ...raw, ...args } as Parameters<typeof rig.write>[0]))).code;

  for (const control of ["\u0000", "\u0003", "\r", "\u001b[A", "\u007f", "\u009b", "\ud800"]) {
    expect(await refused({ text: `a${control}b` })).toBe("invalid_arguments");
  }
  expect(await refused({ text: "é".repeat(30_001) })).toBe("text_too_long");
  expect(await refused({ text: "x\n".repeat(101) })).toBe("text_too_long");
  expect(pane.bytes()).toBe("");
  await rig.write({ ...raw, text: "x\n".repeat(100) });
  await rig.write({ ...raw, text: "y\n".repeat(101), paste: true });
  await pane.received(`${"x\r".repeat(100)}${"y\n".repeat(100)}y\r`);
});

proves(
  "TMUX-42",
  "a line that the terminal's line mode would cut is refused, one below is whole",
  async () => {
    const rig = await writingRig({ program: ["cat"] });
    const tooLong = await refusalOf(rig.write({ ...work, text: `${"x".repeat(4_001)}\n` }));
    await rig.write({ ...work, text: `${"x".repeat(4_000)}\n` });

    expect(tooLong.code).toBe("text_too_long");
    await eventually(async () => {
      const screen = await rig.tmux("capture-pane", "-p", "-J", "-S", "-200", "-t", "work");
      return screen.split("\n").filter((line) => line.trim() === "x".repeat(4_000)).length === 2;
    });
  },
);

proves("TMUX-49", "the answer echoes the beginning and proves the rest by its hash", async () => {
  const rig = await writingRig(silent);
  const pane = await recordingPane(rig, "raw");
  const text = "é".repeat(3_000);
  const answer = await rig.write({ ...raw, text });
  await pane.received(text);

  expect(answer).toMatchObject({
    target: "raw:0.0",
    sent: "é".repeat(2_048),
    sent_truncated: true,
    sent_bytes: 6_000,
    sent_sha256: createHash("sha256").update(text).digest("hex"),
  });
});

proves(
  ["TMUX-44", "TMUX-48", "TMUX-87"],
  "a pane that cannot safely take input refuses with its own code, and nothing arrives",
  async () => {
    const rig = await writingRig(silent);
    const { tmux } = rig;
    const pane = await recordingPane(rig, "raw");
    const steps: [code: string, set: string[], undo: string[]][] = [
      ["pane_in_mode", ["copy-mode", "-t", "raw"], ["copy-mode", "-q", "-t", "raw"]],
      ["pane_input_off", ["select-pane", "-d", "-t", "raw"], ["select-pane", "-e", "-t", "raw"]],
      [
        "pane_synchronized",
        ["set", "-w", "-t", "raw", "synchronize-panes", "on"],
        ["set", "-w", "-t", "raw", "synchronize-panes", "off"],
      ],
      ["paused_by_user", ["set", "-g", "@postern_all", "read"], ["set", "-gu", "@postern_all"]],
      [
        "paused_by_user",
        ["set", "-t", "raw", "@postern_session", "read"],
        ["set", "-u", "-t", "raw", "@postern_session"],
      ],
      [
        "paused_by_user",
        ["set", "-w", "-t", "raw", "@postern_window", "read"],
        ["set", "-wu", "-t", "raw", "@postern_window"],
      ],
      [
        "paused_by_user",
        ["set", "-p", "-t", "raw", "@postern_pane", "read"],
        ["set", "-pu", "-t", "raw", "@postern_pane"],
      ],
      [
        "hidden_by_user",
        ["set", "-p", "-t", "raw", "@postern_pane", "off"],
        ["set", "-pu", "-t", "raw", "@postern_pane"],
      ],
      [
        "hidden_by_user",
        ["set", "-g", "@postern_all", "anything, }"],
        ["set", "-gu", "@postern_all"],
      ],
    ];
    for (const [code, set, undo] of steps) {
      await tmux(...set);
      expect((await refusalOf(rig.write({ ...raw, text: "no" }))).code).toBe(code);
      expect((await refusalOf(rig.press({ ...raw, key: "Enter" }))).code).toBe(code);
      await tmux(...undo);
    }

    await rig.write({ ...raw, text: "yes" });
    await pane.received("yes");
    await tmux("copy-mode", "-t", "raw");
    const left = await rig.write({ ...raw, text: "back", leave_copy_mode: true });
    await pane.received("back");
    expect(left.left_copy_mode).toBe(true);
    expect(await tmux("display-message", "-p", "-t", "raw", "#{pane_in_mode}")).toBe("0");
  },
);

test("a pane whose program has ended refuses", async () => {
  const rig = await writingRig(silent);
  await rig.tmux("set", "-g", "remain-on-exit", "on");
  await rig.tmux("new-session", "-d", "-s", "ended", "true");
  await eventually(async () => (await rig.info({ session: "ended" })).state === "dead");

  expect((await refusalOf(rig.write({ session: "ended", text: "x" }))).code).toBe("pane_dead");
});

proves("TMUX-47", "the server's own pane refuses writes", async () => {
  const rig = await writingRig();
  const paneId = await rig.tmux("display-message", "-p", "-t", "work", "#{pane_id}");
  const inside = rig.another({}, { TMUX: `${rig.socket},1,0`, TMUX_PANE: paneId });

  expect((await refusalOf(inside.write({ ...work, text: "x" }))).code).toBe("own_pane");
  expect((await refusalOf(inside.press({ pane_id: paneId, key: "C-c" }))).code).toBe("own_pane");
  expect(await inside.info(work)).toMatchObject({
    writable: false,
    not_writable_reason: "own_pane",
  });
});

proves("TMUX-46", "a password prompt takes nothing but the keys that leave it", async () => {
  const rig = await writingRig();
  await rig.tmux("send-keys", "-t", "work", "read -s -p 'Secret: ' x", "Enter");
  await eventually(async () => (await rig.info(work)).state === "password");

  const refusals = [
    await refusalOf(rig.write({ ...work, text: "guess\n" })),
    await refusalOf(rig.press({ ...work, key: "Enter" })),
    await refusalOf(rig.run({ ...work, command: "true" })),
  ];
  expect(refusals.map(({ code }) => code)).toEqual(Array(3).fill("password_prompt"));
  await rig.press({ ...work, key: "C-c" });
  await atPrompt(rig);
});

proves(
  "TMUX-45",
  "with wait_for_prompt text waits for a quiet prompt, or says that none came",
  async () => {
    const rig = await writingRig();
    await rig.tmux("send-keys", "-t", "work", "sleep 0.5", "Enter");
    const waited = await rig.write({ ...work, text: "echo typed\n", wait_for_prompt: true });
    await eventually(async () =>
      (await rig.tmux("capture-pane", "-p", "-t", "work")).includes("\ntyped"),
    );
    await rig.tmux("send-keys", "-t", "work", "echo draft");
    const refused = await refusalOf(
      rig.write({ ...work, text: "rm x\n", wait_for_prompt: true, timeout: 1 }),
    );

    expect(waited.sent).toBe("echo typed\n");
    expect(refused).toMatchObject({
      code: "prompt_timeout",
      data: { pane_state: "draft", line: "$ echo draft" },
    });
    expect(await rig.tmux("capture-pane", "-p", "-t", "work")).not.toContain("rm x");
  },
);
