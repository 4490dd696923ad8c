import { eventually } from "@postern/testing";
import { expect } from "vitest";
import { verifies, type Cell } from "../verifies.ts";

verifies(
  ["QUAL-10", "TMUX-33"],
  "an agent lists the sessions that the person allowed, and no others",
  { sessions: ["work", "work-prod"], settings: { allowed_sessions: ["work"] } },
  async ({ call }) => {
    const { sessions, count } = await call("get_tmux_sessions");

    expect(count).toBe(1);
    expect(sessions).toMatchObject([{ name: "work", windows: 1, panes: 1 }]);
  },
);

verifies(
  ["TMUX-13", "TMUX-14"],
  "a session that is not allowed is refused alike whether it exists or not, and never reached by prefix",
  { sessions: ["work", "work-prod"], settings: { allowed_sessions: ["work"] } },
  async ({ refusal }) => {
    const answers = [];
    for (const session of ["work-prod", "work-", "wor", "w*", "=work", "no-such"]) {
      answers.push((await refusal("read_tmux_pane", { session })).code);
    }

    expect(answers).toEqual(Array(6).fill("session_not_allowed"));
  },
);

verifies(
  ["TMUX-25", "TMUX-27"],
  "a second read returns only the lines that came since the first",
  {},
  async (cell) => {
    const { call, surroundings } = cell;
    await type(cell, "echo one");
    const first = await call("read_tmux_pane", { session: "work" });
    await type(cell, "echo two");

    const second = await call("read_tmux_pane", { session: "work" });
    const third = await call("read_tmux_pane", { session: "work" });

    expect(first["new_lines"]).toContain("one");
    expect(second["new_lines"]).toContain("two");
    expect(second["new_lines"]).not.toContain("one");
    expect(second).toMatchObject({ anchor: "exact", lines_missed: 0 });
    expect(third["new_lines"]).toEqual([]);
    expect(await surroundings.tmux("capture-pane", "-p", "-t", "work")).toContain("two");
  },
);

verifies(
  "TMUX-35",
  "a pane that waits at a prompt and one that runs a program are told apart",
  {},
  async (cell) => {
    const { call, surroundings } = cell;
    const idle = await eventually(async () => {
      const info = await call("get_pane_info", { session: "work" });
      return info["state"] === "prompt" && info;
    });
    await surroundings.tmux("send-keys", "-t", "work", "sleep 30", "Enter");

    const busy = await eventually(async () => {
      const info = await call("get_pane_info", { session: "work" });
      // Between reading the line and starting the program the shell itself runs.
      return info["state"] === "running" && info["current_command"] !== "bash" && info;
    });

    expect(idle).toMatchObject({
      prompt_detected: true,
      command_running: false,
      width: 100,
      height: 30,
    });
    expect(busy).toMatchObject({
      prompt_detected: false,
      command_running: true,
      current_command: "sleep",
    });
  },
);

verifies(
  "TMUX-34",
  "the server describes itself and is read-only until a person changes that",
  {},
  async ({ call, client }) => {
    const info = await call("get_server_info");
    const { result } = await client.listTools();

    expect(info).toMatchObject({
      write_enabled: false,
      tmux_available: true,
      server_running: true,
    });
    expect(result?.tools.map(({ name }) => name).sort()).toEqual([
      "clear_buffer",
      "get_pane_info",
      "get_receipt",
      "get_server_info",
      "get_tmux_sessions",
      "read_tmux_pane",
    ]);
  },
);

/** Types a line as the person and waits until its output stands in the pane. */
async function type({ surroundings }: Cell, line: string): Promise<void> {
  await surroundings.tmux("send-keys", "-t", "work", line, "Enter");
  const output = line.replace("echo ", "");
  await eventually(async () =>
    (await surroundings.tmux("capture-pane", "-p", "-t", "work")).split("\n").includes(output),
  );
}
