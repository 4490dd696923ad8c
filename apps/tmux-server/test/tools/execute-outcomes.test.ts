import { eventually, proves } from "@postern/testing";
import { expect } from "vitest";
import { refusalOf } from "../rig/reading-app.ts";
import { atPrompt, work, writingRig } from "../rig/writing-rig.ts";

proves(
  "TMUX-60",
  "a run is refused with what stands in its way, and nothing is typed",
  async () => {
    const rig = await writingRig();
    const { run, tmux } = rig;
    const code = async (args: object = {}): Promise<string> =>
      (await refusalOf(run({ ...work, command: "touch typed", ...args }))).code;

    await tmux("send-keys", "-t", "work", "echo draft");
    await eventually(async () => (await rig.info(work)).state === "draft");
    expect(await code()).toBe("draft_present");
    await tmux("send-keys", "-t", "work", "C-u", "echo 'open", "Enter");
    await eventually(async () => (await rig.info(work)).state === "continuation");
    expect(await code()).toBe("continuation_prompt");
    await tmux("send-keys", "-t", "work", "C-c");
    await atPrompt(rig);
    await tmux("send-keys", "-t", "work", "sleep 30", "Enter");
    await eventually(async () => (await rig.info(work)).state === "running");
    expect(await code()).toBe("command_running");
    expect(await code({ wait_for_prompt: true, timeout: 1 })).toBe("prompt_timeout");
    await tmux("new-session", "-d", "-s", "cat", "sh", "-c", "printf 'node> '; exec cat");
    await eventually(async () => (await rig.info({ session: "cat" })).prompt_source === "text");
    const refusal = await refusalOf(run({ session: "cat", command: "x" }));
    expect(refusal).toMatchObject({ code: "not_a_shell", data: { line: "node>" } });
    expect(await tmux("capture-pane", "-p", "-t", "work")).not.toContain("touch typed");
  },
);

proves(
  "TMUX-60",
  "runs in one pane follow one another; beyond eight waiting they are refused",
  async () => {
    const { run } = await writingRig();
    const calls = Array.from({ length: 10 }, (_none, index) =>
      run({ ...work, command: `sleep 0.3; echo ${String(index)}` }).then(
        ({ output_lines }) => output_lines.join(),
        (error: { code: string }) => error.code,
      ),
    );
    const answers = await Promise.all(calls);

    expect(answers.filter((answer) => answer === "pane_busy")).toHaveLength(1);
    for (const [index, answer] of answers.entries()) {
      expect([String(index), "pane_busy"]).toContain(answer);
    }
  },
  60_000,
);

proves(
  "TMUX-62",
  "a shell without line editor refuses a line its terminal would cut; a line editor takes it",
  async () => {
    const long = `: ${"x".repeat(4_000)}`;
    const dash = await writingRig({ program: "dash" });
    const bash = await writingRig({ program: "bash" });
    const refusal = await refusalOf(dash.run({ ...work, command: long }));

    expect(refusal.code).toBe("text_too_long");
    expect(await dash.tmux("capture-pane", "-p", "-t", "work")).toBe("$");
    expect(await bash.run({ ...work, command: `${long}; echo end` })).toMatchObject({
      exit_code: 0,
      output_lines: ["end"],
    });
  },
);

proves(
  ["TMUX-63", "TMUX-64"],
  "of long output the newest lines are returned and the rest is counted",
  async () => {
    const { run, tmux } = await writingRig({ historyLimit: 5_000 });
    const counted = await run({ ...work, command: "seq 1 2000", max_lines: 3 });
    const bytes = await run({ ...work, command: "seq 1 2000", max_bytes: 1_024 });
    const beyond = await run({ ...work, command: "seq 1 9000", max_lines: 10_000 });

    expect(counted).toMatchObject({
      output_lines: ["1998", "1999", "2000"],
      output_skipped: 1_997,
      truncated: true,
    });
    expect(bytes.output_lines.at(-1)).toBe("2000");
    expect(bytes.output_lines.length + (bytes.output_skipped ?? 0)).toBe(2_000);
    expect(beyond.output_skipped).toBe(null);
    expect(beyond.output_lines.at(-1)).toBe("9000");
    expect(await tmux("list-buffers")).toBe("");
  },
);

proves(
  "TMUX-66",
  "what did not complete says in one word why, and claims no exit code",
  async () => {
    const rig = await writingRig();
    const slow = await rig.run({ ...work, command: "echo begun; sleep 1.5", timeout: 1 });
    await atPrompt(rig);
    const secret = await rig.run({ ...work, command: "read -s -p 'Password: ' x" });
    await rig.press({ ...work, key: "C-c" });
    await atPrompt(rig);
    const interrupted = await rig.run({
      ...work,
      command: "sleep 60",
      timeout: 1,
      on_timeout: "interrupt",
    });
    await atPrompt(rig);

    expect(slow).toMatchObject({
      outcome: "timeout",
      exit_code: null,
      output_lines: ["begun"],
      interrupted: false,
    });
    expect(secret).toMatchObject({ outcome: "needs_user_input", exit_code: null });
    expect(secret.duration_ms).toBeLessThan(20_000);
    expect(interrupted).toMatchObject({ outcome: "completed", exit_code: null, interrupted: true });
  },
);

proves(
  ["TMUX-66", "TMUX-93"],
  "a pane that is closed during a run is said to be gone, and the receipt says so too",
  async () => {
    const rig = await writingRig();
    await rig.tmux("new-session", "-d", "-s", "other", "sleep", "1000");
    const requestId = "0197b0a0-0000-7000-8000-0000000000aa";
    const run = rig.run({ ...work, command: "sleep 60", requestId });
    await eventually(async () => (await rig.info(work)).current_command === "sleep");
    await rig.tmux("kill-session", "-t", "work");
    const answer = await run;
    const { receipts } = await rig.receipt({ requestId });

    expect(answer).toMatchObject({ outcome: "pane_gone", exit_code: null });
    expect(receipts).toMatchObject([{ state: "applied", result: { outcome: "pane_gone" } }]);
  },
);

proves(
  ["TMUX-66", "TMUX-88"],
  "a pane that is hidden during a run leaves its outcome unknown, without output",
  async () => {
    const rig = await writingRig();
    const refused = refusalOf(rig.run({ ...work, command: "echo sec''ret; sleep 60" }));
    await eventually(async () => (await rig.info(work)).current_command === "sleep");
    await rig.tmux("set", "-g", "@postern_all", "off");
    const refusal = await refused;

    expect(refusal.code).toBe("outcome_unknown");
    expect(refusal.message).toContain("hidden_by_user");
    expect(JSON.stringify(refusal.data)).not.toContain("secret");
    expect(Object.keys(refusal.data).sort()).toEqual(["requestId", "state"]);
  },
);

proves(
  "TMUX-68",
  "a caller that cancels ends its waiting only; the receipt is completed",
  async () => {
    const rig = await writingRig();
    const requestId = "0197b0a0-0000-7000-8000-0000000000bb";
    const caller = new AbortController();
    const run = rig.run(
      { ...work, command: "sleep 0.7; echo done", requestId },
      { signal: caller.signal },
    );
    await eventually(async () => (await rig.info(work)).current_command === "sleep");
    caller.abort();
    await run;
    const { receipts } = await rig.receipt({ requestId });

    expect(receipts).toMatchObject([
      { state: "applied", result: { exit_code: 0, output_lines: ["done"] } },
    ]);
  },
);

proves(
  ["TMUX-55", "TMUX-56", "TMUX-57"],
  "with allowed_commands only whole entries are typed, at a prompt",
  async () => {
    const rig = await writingRig({ config: { allowed_commands: ["echo allowed", "true"] } });
    const code = async (call: Promise<unknown>): Promise<string> => (await refusalOf(call)).code;

    for (const command of [
      "echo allowed ",
      "echo",
      "echo allowed; true",
      "echo allowed\ntrue",
      "ECHO allowed",
    ]) {
      expect(await code(rig.run({ ...work, command }))).toBe("command_not_allowed");
    }
    for (const text of ["true", "true\n ", "true\nfalse\n", "tru\n", "\n"]) {
      expect(await code(rig.write({ ...work, text }))).toBe("command_not_allowed");
    }
    expect(await code(rig.write({ ...work, text: "true\n", paste: true }))).toBe(
      "command_not_allowed",
    );
    expect(await code(rig.press({ ...work, key: "Up" }))).toBe("key_not_allowed");
    expect(await code(rig.press({ ...work, key: "Enter" }))).toBe("key_not_allowed");
    expect(await rig.run({ ...work, command: "echo allowed" })).toMatchObject({
      output_lines: ["allowed"],
    });
    await rig.write({ ...work, text: "true\necho allowed\n", wait_for_prompt: true });
    await atPrompt(rig);
    await rig.tmux("send-keys", "-t", "work", "half a ");
    await eventually(async () => (await rig.info(work)).state === "draft");
    expect(await code(rig.write({ ...work, text: "true\n" }))).toBe("draft_present");
    await rig.press({ ...work, key: "C-u" });
    await atPrompt(rig);
  },
);
