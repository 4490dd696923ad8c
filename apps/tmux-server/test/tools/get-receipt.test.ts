import { newRequestId } from "@postern/protocol";
import { eventually, proves } from "@postern/testing";
import { expect } from "vitest";
import { refusalOf } from "../rig/reading-app.ts";
import { atPrompt, work, writingRig, type WritingRig } from "../rig/writing-rig.ts";

/** Runs a command whose end nobody sees, because the person hides the pane meanwhile. */
async function unseenRun(rig: WritingRig, command: string): Promise<string> {
  const requestId = newRequestId();
  const refused = refusalOf(rig.run({ ...work, command, requestId }));
  await eventually(async () => (await rig.info(work)).current_command === "sleep");
  await rig.tmux("set", "-g", "@postern_all", "off");
  expect((await refused).code).toBe("outcome_unknown");
  return requestId;
}

proves(
  "TMUX-77",
  "an unknown run is settled by its marker in the pane, once it can be seen, and never run again",
  async () => {
    const rig = await writingRig();
    const requestId = await unseenRun(rig, "echo out; sleep 0.7; (exit 3)");

    expect((await rig.receipt({ requestId })).receipts).toMatchObject([{ state: "unknown" }]);
    await rig.tmux("set", "-gu", "@postern_all");
    await atPrompt(rig);
    const { receipts } = await rig.another().receipt({ requestId });
    expect(receipts).toMatchObject([
      {
        state: "applied",
        established: "evidence",
        wasUnknown: true,
        result: {
          outcome: "completed",
          exit_code: 3,
          output_lines: ["out"],
          command: "echo out; sleep 0.7; (exit 3)",
          duration_ms: null,
          requestId,
        },
      },
    ]);
    const again = await rig.run({ ...work, command: "echo out; sleep 0.7; (exit 3)", requestId });
    expect(again).toEqual(receipts[0]?.result);
    expect((await rig.tmux("capture-pane", "-p", "-t", "work")).match(/^out$/gm)).toHaveLength(1);
  },
);

proves(
  "TMUX-77",
  "without a marker, or in another pane of that name, an unknown run stays unknown",
  async () => {
    const rig = await writingRig();
    const requestId = await unseenRun(rig, "sleep 0.7");
    const state = async (): Promise<string | undefined> =>
      (await rig.receipt({ requestId })).receipts[0]?.state;

    await rig.tmux("set", "-gu", "@postern_all");
    await rig.tmux("respawn-pane", "-k", "-t", "work", "sh", "-c", "PS1='$ ' exec bash --norc -i");
    await atPrompt(rig);
    expect(await state()).toBe("unknown");
    const cleared = await unseenRun(rig, "sleep 0.4; clear");
    await rig.tmux("set", "-gu", "@postern_all");
    await atPrompt(rig);
    await rig.tmux("send-keys", "-t", "work", "clear", "Enter");
    await eventually(async () => (await rig.info(work)).cursor_y === 0);
    await rig.tmux("clear-history", "-t", "work");
    expect((await rig.receipt({ requestId: cleared })).receipts[0]?.state).toBe("unknown");
  },
);

proves("TMUX-77", "the marker of a run that timed out shows up later", async () => {
  const rig = await writingRig();
  const answer = await rig.run({ ...work, command: "sleep 1.2; false", timeout: 1 });
  await atPrompt(rig);

  expect(answer).toMatchObject({ outcome: "timeout", exit_code: null });
  expect(await rig.tmux("capture-pane", "-p", "-t", "work")).toMatch(/\[postern:[0-9a-f]{16}:1\]/);
});
