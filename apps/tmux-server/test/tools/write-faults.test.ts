import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRequestId } from "@postern/protocol";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { expect } from "vitest";
import { privateTmux } from "../rig/private-tmux.ts";
import { refusalOf } from "../rig/reading-app.ts";
import { recordingPane, work, writingRig } from "../rig/writing-rig.ts";

const raw = { session: "raw" };

/** A tmux whose writes go through this line of shell, and all else to the real one. */
function tmuxWhoseWrites(line: string): string {
  const path = join(temporaryDirectory(), "tmux");
  const choose = `for word; do case $word in source-file) ${line};; esac; done`;
  writeFileSync(path, `#!/bin/sh\n${choose}\nexec tmux "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

proves(
  ["TMUX-92", "TMUX-76"],
  "a write that tmux does not answer is unknown, whether it took place or not, and is not repeated",
  async () => {
    const rig = await writingRig({ program: ["sleep", "1000"] });
    const pane = await recordingPane(rig, "raw");
    const text = "may be typed\n";
    const hangs = rig.another({
      tmux_path: tmuxWhoseWrites("exec sleep 100"),
      tmux_timeout_ms: 500,
    });
    const mute = rig.another({ tmux_path: tmuxWhoseWrites('tmux "$@" > /dev/null; exit 0') });
    const never = { ...raw, text, requestId: newRequestId() };
    const done = { ...raw, text, requestId: newRequestId() };
    const refusals = [await refusalOf(hangs.write(never)), await refusalOf(mute.write(done))];
    const repeats = [await refusalOf(rig.write(never)), await refusalOf(rig.write(done))];
    const { receipts } = await rig.receipt({ requestId: done.requestId });

    expect(refusals.map(({ code }) => code)).toEqual(["outcome_unknown", "outcome_unknown"]);
    expect(repeats.map(({ message }) => message)).toEqual(refusals.map(({ message }) => message));
    expect(receipts).toMatchObject([{ state: "unknown", code: "outcome_unknown" }]);
    await pane.received("may be typed\r");
    expect(await rig.tmux("list-buffers")).toBe("");
  },
);

proves("TMUX-92", "a write that could not even reach tmux was certainly not done", async () => {
  const rig = await writingRig({ program: ["sleep", "1000"] });
  const gone = rig.another({
    tmux_path: tmuxWhoseWrites("exec tmux -N -S /nowhere/s source-file -"),
  });
  const request = { ...work, text: "x", requestId: newRequestId() };
  const refusal = await refusalOf(gone.write(request));
  const { receipts } = await rig.receipt({ requestId: request.requestId });

  expect(refusal.code).toBe("not_started");
  expect(receipts).toMatchObject([{ state: "not_applied" }]);
});

proves(
  "TMUX-45",
  "text waits until the person at a terminal that shows the pane has typed nothing for two seconds",
  async () => {
    const rig = await writingRig();
    const attach = ["env", "-u", "TMUX", "tmux", "-S", rig.socket, "attach", "-t", "work"];
    const person = await privateTmux({ session: "person", command: attach });
    await eventually(async () => (await rig.tmux("list-clients")) !== "");
    await person.tmux("send-keys", "-t", "person", "x", "BSpace");
    const typedAt = Date.now();
    await rig.write({ ...work, text: "echo after\n", wait_for_prompt: true });

    expect(Date.now() - typedAt).toBeGreaterThanOrEqual(2_000);
    await eventually(async () =>
      (await rig.tmux("capture-pane", "-p", "-t", "work")).includes("\nafter"),
    );
  },
);
