import { eventually, proves } from "@postern/testing";
import { expect } from "vitest";
import { atPrompt, work, writingRig, type WritingRig } from "../rig/writing-rig.ts";

async function sign({ tmux }: WritingRig): Promise<string> {
  return tmux("display-message", "-p", "-t", "work", "#{@postern_agent}");
}

async function shows(rig: WritingRig, text: string): Promise<void> {
  await eventually(async () => (await sign(rig)) === text, { what: `the sign "${text}"` });
}

proves(
  "TMUX-89",
  "the session shows what is done in which pane while it is done, never what, and nothing afterwards",
  async () => {
    const rig = await writingRig();
    const run = rig.run({ ...work, command: "sleep 1" });
    await shows(rig, "running %0");
    await rig.write({ ...work, text: "\n" });
    expect(await sign(rig)).toBe("typing %0");
    expect((await run).outcome).toBe("completed");
    await shows(rig, "");

    await rig.tmux("send-keys", "-t", "work", "sleep 1", "Enter");
    await eventually(async () => (await rig.info(work)).current_command === "sleep");
    const waiting = rig.write({ ...work, text: "secret\n", wait_for_prompt: true });
    await shows(rig, "waiting %0");
    await waiting;
    expect(await sign(rig)).toBe("typing %0");
    await shows(rig, "");
    expect(await rig.tmux("show-options", "-q", "-t", "work", "@postern_agent")).toBe("");
  },
);

proves(
  "TMUX-89",
  "at its end the server takes its own sign away, and leaves another's",
  async () => {
    const rig = await writingRig();
    await rig.press({ ...work, key: "C-l" });
    expect(await sign(rig)).toBe("typing %0");
    await rig.app.sign.close();
    expect(await sign(rig)).toBe("");
    await atPrompt(rig);
    await rig.press({ ...work, key: "C-l" });
    await rig.tmux("set-option", "-t", "work", "@postern_agent", "running %7");
    await rig.app.sign.close();

    expect(await sign(rig)).toBe("running %7");
  },
);
