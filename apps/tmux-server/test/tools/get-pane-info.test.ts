import { eventually, proves } from "@postern/testing";
import { expect, test } from "vitest";
import { getPaneInfoTool } from "../../src/tools/get-pane-info.ts";
import { caller } from "../rig/reading-app.ts";
import { atPrompt, work, writingRig } from "../rig/writing-rig.ts";

proves(
  "TMUX-38",
  "pane information tells whether a prompt waits, a command runs and a write would be taken",
  async () => {
    const { info, tmux } = await writingRig();
    const idle = await info(work);
    await tmux("send-keys", "-t", "work", "echo out; sleep 1000", "Enter");
    const busy = await eventually(async () => {
      const now = await info(work);
      return now.current_command === "sleep" && now;
    });
    await tmux("copy-mode", "-t", "work");
    const scrolled = await info(work);

    expect(idle).toMatchObject({
      target: "work:0.0",
      width: 100,
      height: 30,
      current_command: "bash",
      active: true,
      state: "prompt",
      prompt_detected: true,
      prompt_source: "shell",
      command_running: false,
      last_line: "$ ",
      cursor_x: 2,
      cursor_y: 0,
      history_size: 0,
      history_limit: 2_000,
      exit_status: null,
      writable: true,
      not_writable_reason: null,
    });
    expect(busy).toMatchObject({
      state: "running",
      prompt_detected: false,
      command_running: true,
      last_line: "out",
      writable: true,
    });
    expect(scrolled).toMatchObject({
      state: "copy_mode",
      writable: false,
      not_writable_reason: "pane_in_mode",
    });
  },
);

test("the last line is the cursor's, without what could hide in it, and long ones are cut", async () => {
  const { info, print } = await writingRig({ program: ["sleep", "1000"] });
  await print("work:0.0", "done\n\u001b[8msecret\u001b[0m 50%");
  const partial = await info(work);
  await print("work:0.0", `\n${"x".repeat(5_000)}`);

  expect(partial.last_line).toBe("⟦hidden: 6 chars⟧ 50%");
  expect((await info(work)).last_line).toMatch(/^x+⟦line cut: 5000 bytes⟧$/);
});

test("a dead pane tells its exit status, and a directory with odd characters its name", async () => {
  const { info, tmux } = await writingRig();
  await tmux(
    "send-keys",
    "-t",
    "work",
    'mkdir -p "$HOME/a  b;\'c" && cd "$HOME/a  b;\'c"',
    "Enter",
  );
  await eventually(async () => (await info(work)).cwd.endsWith("/a  b;'c"));
  await atPrompt({ info });
  await tmux("set-option", "-g", "remain-on-exit", "on");
  await tmux("send-keys", "-t", "work", "exit 3", "Enter");
  const dead = await eventually(async () => {
    const now = await info(work);
    // tmux sees the end of the terminal a moment before it learns the status, if it ever does.
    const known = await tmux("display-message", "-p", "-t", "work", "#{pane_dead_status}");
    return now.state === "dead" && String(now.exit_status ?? "") === known.trim() && now;
  });

  expect([3, null]).toContain(dead.exit_status);
  expect(dead).toMatchObject({ writable: false, not_writable_reason: "pane_dead" });
});

test("with writing off nothing is writable, and the reason says so", async () => {
  const { app } = await writingRig();
  const info = caller(getPaneInfoTool({ ...app, writeEnabled: false }));

  expect(await info(work)).toMatchObject({
    writable: false,
    not_writable_reason: "effect_not_enabled",
  });
});
