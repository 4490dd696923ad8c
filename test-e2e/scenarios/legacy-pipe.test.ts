import { existsSync } from "node:fs";
import { proves } from "@postern/testing";
import { execa } from "execa";
import { expect } from "vitest";
import { inSurroundings } from "../harness/in-surroundings.ts";
import { createSurroundings, type Surroundings } from "../harness/surroundings.ts";
import { tmuxServerBin } from "../harness/tmux-server.ts";

/** Runs a line of shell as a person would type it, with `postern-tmux` on the PATH. */
async function shell(
  surroundings: Surroundings,
  line: string,
): Promise<{ answer: Record<string, unknown>; exitCode: number | undefined }> {
  const postern = `postern-tmux() { '${process.execPath}' '${tmuxServerBin}' "$@"; }\n`;
  const { stdout, exitCode } = await execa("bash", ["-c", postern + line], {
    env: surroundings.env,
    extendEnv: false,
    cwd: surroundings.folder,
  });
  return { answer: JSON.parse(stdout) as Record<string, unknown>, exitCode };
}

proves(["TMUX-81", "TMUX-85"], "the two documented one-line calls work literally over a pipe", () =>
  inSurroundings({ sessions: ["test"] }, async (surroundings) => {
    const info = await shell(
      surroundings,
      `echo '{"jsonrpc":"2.0","id":1,"method":"get_server_info","params":{}}' | postern-tmux`,
    );
    const read = await shell(
      surroundings,
      `echo '{"jsonrpc":"2.0","id":2,"method":"read_tmux_pane","params":{"session":"test"}}' | postern-tmux`,
    );

    expect(info).toMatchObject({
      exitCode: 0,
      answer: { jsonrpc: "2.0", id: 1, result: { write_enabled: false, tmux_available: true } },
    });
    expect(read).toMatchObject({
      exitCode: 0,
      answer: { jsonrpc: "2.0", id: 2, result: { target: "test:0.0", new_lines: [] } },
    });
  }),
);

proves(["TMUX-82", "TMUX-83"], "bare calls that fail answer with the documented codes", () =>
  inSurroundings({ sessions: ["test"] }, async (surroundings) => {
    const bare = async (line: string): Promise<unknown> =>
      (await shell(surroundings, `echo '${line}' | postern-tmux`)).answer["error"];

    expect(
      await bare(`{"jsonrpc":"2.0","id":1,"method":"read_tmux_pane","params":{"session":"x"}}`),
    ).toMatchObject({
      code: -32000,
      message: 'Session not found: "x".',
      data: { code: "session_not_found" },
    });
    expect(
      await bare(`{"jsonrpc":"2.0","id":1,"method":"read_tmux_pane","params":[]}`),
    ).toMatchObject({ code: -32602 });
    expect(
      await bare(
        `{"jsonrpc":"2.0","id":1,"method":"read_tmux_pane","params":{"session":"test","cursor":"x"}}`,
      ),
    ).toMatchObject({ code: -32602, data: { code: "invalid_cursor" } });
    expect(await bare(`{"jsonrpc":"2.0","id":1,"method":"no_such_tool"}`)).toMatchObject({
      code: -32601,
    });
    expect(await bare(`not json`)).toMatchObject({ code: -32700 });
  }),
);

proves(
  "TMUX-02",
  "the first start writes a private configuration of exactly five keys",
  async () => {
    const surroundings = await createSurroundings();
    try {
      await shell(
        surroundings,
        `echo '{"jsonrpc":"2.0","id":1,"method":"get_server_info"}' | postern-tmux`,
      );
      const { stdout } = await execa("cat", [`${surroundings.home}/.config/mcp-tmux/config.json`]);

      expect(JSON.parse(stdout)).toEqual({
        version: "1.0.0",
        write_enabled: false,
        allowed_sessions: [],
        buffer_size: 1000,
        auth_token: null,
      });
      expect(existsSync(`${surroundings.home}/.local`)).toBe(false);
    } finally {
      await surroundings.end();
    }
  },
);
