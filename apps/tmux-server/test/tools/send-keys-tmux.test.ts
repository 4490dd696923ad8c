import { eventually, proves } from "@postern/testing";
import { expect } from "vitest";
import { keyNames } from "../../src/domain/key-names.ts";
import { refusalOf } from "../rig/reading-app.ts";
import { atPrompt, recordingPane, work, writingRig } from "../rig/writing-rig.ts";

proves(
  "TMUX-50",
  "every key of the list reaches the program, and no other name does",
  async () => {
    const rig = await writingRig({ program: ["sleep", "1000"] });
    const pane = await recordingPane(rig, "raw");
    const press = (key: string): ReturnType<typeof rig.press> => rig.press({ session: "raw", key });

    for (const key of ["c-C", "Ctrl+C", "C-C", "enter", "F13", "C-[", "", "C-c ", "x", "-R", "0"]) {
      const refusal = await refusalOf(press(key)).catch(() => ({ code: "invalid_arguments" }));
      expect(refusal.code).toBe("invalid_arguments");
    }
    expect(pane.bytes()).toBe("");
    for (const key of keyNames) {
      await press(key);
      await eventually(() => pane.bytes().length > 0);
      const bytes = pane.bytes();
      if (/^C-[a-z]$/.test(key)) expect(bytes).toBe(String.fromCharCode(key.charCodeAt(2) - 96));
      else if (/^M-[a-z]$/.test(key)) expect(bytes).toBe(`\u001b${key.slice(2)}`);
      else expect(bytes).toMatch(/^(?:\r|\t|\u007f| |\u001b|\u001b[[O].*)$/);
      await pane.received(bytes);
    }
    expect(keyNames).toHaveLength(80);
  },
  60_000,
);

proves(
  ["TMUX-51", "TMUX-52"],
  "keys interrupt and answer a run, repeated ones in one piece",
  async () => {
    const rig = await writingRig();
    const run = rig.run({ ...work, command: "sleep 60" });
    await eventually(async () => (await rig.info(work)).current_command === "sleep");
    await rig.press({ ...work, key: "C-c" });
    const interrupted = await run;
    await atPrompt(rig);
    const asked = rig.run({ ...work, command: "read answer; echo got $answer" });
    await eventually(async () => (await rig.info(work)).state === "running");
    await rig.write({ ...work, text: "yes\n" });

    expect(interrupted).toMatchObject({ outcome: "completed", exit_code: null, method: "prompt" });
    expect(await asked).toMatchObject({
      outcome: "completed",
      exit_code: 0,
      output_lines: ["yes", "got yes"],
    });
    const pane = await recordingPane(rig, "raw");
    const answer = await rig.press({ session: "raw", key: "Up", repeat: 3 });
    await pane.received("\u001b[A".repeat(3));
    expect(answer).toMatchObject({ key: "Up", repeat: 3, left_copy_mode: false });
  },
);
