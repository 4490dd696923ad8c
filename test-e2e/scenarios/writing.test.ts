import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newRequestId } from "@postern/protocol";
import { eventually } from "@postern/testing";
import { expect } from "vitest";
import { verifies, type Cell } from "../verifies.ts";

const writing = { settings: { write_enabled: true } } as const;

verifies(
  "TMUX-40",
  "a write tool is refused by name while writing is off, and nothing is typed",
  {},
  async ({ refusal, surroundings }) => {
    const error = await refusal("write_tmux_pane", { session: "work", text: "touch typed\n" });

    expect(error.code).toBe("effect_not_enabled");
    expect(await screen(surroundings)).not.toContain("touch");
  },
);

verifies(
  "TMUX-42",
  "text arrives byte for byte, whatever it begins, ends with or looks like",
  writing,
  async (cell) => {
    const { call, surroundings } = cell;
    const texts = [
      "a;",
      ";",
      "-x;",
      "#(touch X)",
      "#{pid} $HOME `id` \\n \\;",
      "emoji 👩‍👩‍👧 ✈️ é",
      "x".repeat(3_000),
    ];
    await surroundings.tmux("send-keys", "-t", "work", "cat > received", "Enter");
    await eventually(() => existsSync(join(surroundings.folder, "received")));

    for (const text of texts) await call("write_tmux_pane", { session: "work", text: `${text}\n` });
    await call("send_keys_tmux", { session: "work", key: "C-d" });

    const wanted = texts.map((text) => `${text}\n`).join("");
    await eventually(() => readFileSync(join(surroundings.folder, "received"), "utf8") === wanted);
    expect(existsSync(join(surroundings.folder, "X"))).toBe(false);
  },
);

verifies(
  "TMUX-48",
  "a pane in copy mode refuses, and typing goes on after the person leaves it",
  writing,
  async ({ call, refusal, surroundings }) => {
    await surroundings.tmux("copy-mode", "-t", "work");

    const error = await refusal("write_tmux_pane", { session: "work", text: "echo blind\n" });
    await surroundings.tmux("send-keys", "-t", "work", "-X", "cancel");
    await call("write_tmux_pane", { session: "work", text: "echo seeing\n" });

    expect(error.code).toBe("pane_in_mode");
    await eventually(async () => (await screen(surroundings)).includes("\nseeing"));
    expect(await screen(surroundings)).not.toContain("blind");
  },
);

verifies(
  "TMUX-76",
  "the same requestId types once and gives the original answer; other arguments conflict",
  writing,
  async ({ call, refusal, surroundings }) => {
    const requestId = newRequestId();
    const request = { session: "work", text: "echo x >> effects\n", requestId };

    const original = await call("write_tmux_pane", request);
    const replayed = await call("write_tmux_pane", request);
    const conflict = await refusal("write_tmux_pane", { ...request, text: "echo y >> effects\n" });
    const { receipts } = await call("get_receipt", { requestId });

    expect(replayed).toEqual(original);
    expect(conflict.code).toBe("request_conflict");
    expect(receipts).toMatchObject([{ requestId, state: "applied" }]);
    const effects = join(surroundings.folder, "effects");
    await eventually(() => existsSync(effects));
    expect(readFileSync(effects, "utf8")).toBe("x\n");
  },
);

verifies(
  ["TMUX-61", "TMUX-67"],
  "a command runs with its own output and exit code, and the shell keeps its state",
  writing,
  async ({ call }) => {
    const failed = await call("execute_and_wait", {
      session: "work",
      command: "cd / && echo out; (exit 7)",
    });
    const where = await call("execute_and_wait", { session: "work", command: "pwd" });

    expect(failed).toMatchObject({ outcome: "completed", exit_code: 7, output_lines: ["out"] });
    expect(where).toMatchObject({ outcome: "completed", exit_code: 0, output_lines: ["/"] });
  },
);

verifies(
  "TMUX-66",
  "a command that outlives its time is left running and said to be",
  writing,
  async ({ call, surroundings }) => {
    const run = await call("execute_and_wait", {
      session: "work",
      command: "sleep 20",
      timeout: 1,
    });

    expect(run).toMatchObject({ outcome: "timeout", exit_code: null });
    expect(
      await surroundings.tmux("display-message", "-p", "-t", "work", "#{pane_current_command}"),
    ).toBe("sleep");
  },
);

const drafts = [
  "echo boom > boom # ",
  "echo price $ ",
  `echo ${"wrapped ".repeat(14)}> boom # `,
  "echo boom > boom",
];

verifies(
  ["TMUX-37", "TMUX-60"],
  "a half-typed line is never run or typed behind, whatever it ends in",
  writing,
  async ({ refusal, surroundings }) => {
    const codes = [];
    for (const draft of drafts) {
      await surroundings.tmux("send-keys", "-t", "work", "-l", draft);
      await eventually(async () => (await screen(surroundings)).includes(draft.trim().slice(-9)));
      codes.push((await refusal("execute_and_wait", { session: "work", command: "echo x" })).code);
      await surroundings.tmux("send-keys", "-t", "work", "C-a");
      codes.push((await refusal("execute_and_wait", { session: "work", command: "echo x" })).code);
      await surroundings.tmux("send-keys", "-t", "work", "C-e", "C-u");
    }

    expect(codes).toEqual(Array(2 * drafts.length).fill("draft_present"));
    expect(existsSync(join(surroundings.folder, "boom"))).toBe(false);
  },
);

verifies(
  "TMUX-46",
  "a password that the shell itself reads silently is not typed into",
  writing,
  async ({ refusal, surroundings }) => {
    await surroundings.tmux("send-keys", "-t", "work", "read -e -s -p 'Passphrase: ' x", "Enter");
    await eventually(async () => /^Passphrase:/m.test(await screen(surroundings)));

    const text = await refusal("write_tmux_pane", { session: "work", text: "secret\n" });

    expect(text.code).toBe("password_prompt");
  },
);

async function screen(surroundings: Cell["surroundings"]): Promise<string> {
  return surroundings.tmux("capture-pane", "-p", "-J", "-t", "work");
}
