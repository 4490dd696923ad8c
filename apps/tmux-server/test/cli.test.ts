import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, onTestFinished, test } from "vitest";
import { privateTmux } from "./rig/private-tmux.ts";

const bin = join(import.meta.dirname, "../src/bin.ts");

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly home?: string;
  readonly path?: string;
  readonly cwd?: string;
  readonly input?: string;
}

function start(args: readonly string[], { home = temporaryDirectory(), path, cwd }: Surroundings) {
  const env = { HOME: home, PATH: path ?? process.env["PATH"], TMUX_TMPDIR: home };
  const child = spawn(process.execPath, ["--conditions=@postern/source", bin, ...args], {
    env,
    cwd,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const finished = once(child, "close").then(([code]): Finished => ({
    code: code as number | null,
    stdout,
    stderr,
  }));
  return { child, finished };
}

/** Runs the program with this input and nothing after it. */
async function postern(
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Finished> {
  const { child, finished } = start(args, surroundings);
  child.stdin.on("error", () => "The program ended before it read the input.");
  child.stdin.end(surroundings.input ?? "");
  return finished;
}

function frames({ stdout }: Finished): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function request(id: number, method: string, params?: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
}

test("help fits a screen, the version is said, wrong usage and broken configuration end with 2", async () => {
  const home = temporaryDirectory();
  const broken = join(home, "broken.json");
  writeFileSync(broken, '{\n "write_enabled": 1\n}');
  const [help, version, unknown, missing, wrong] = await Promise.all([
    postern(["--help"]),
    postern(["--version"]),
    postern(["--reed-only"]),
    postern(["--config", "/nowhere/config.json"]),
    postern(["--config", broken]),
  ]);

  expect(help.code).toBe(0);
  expect(help.stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toContain("Did you mean --read-only?");
  expect(missing).toMatchObject({ code: 2, stderr: "/nowhere/config.json: no such file.\n" });
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/broken\.json:2:19: write_enabled: .*boolean.*number/);
});

proves(
  ["TMUX-01", "TMUX-80", "TMUX-81", "TMUX-85"],
  "a piped bare request and a handshake get their answers on one pipe, and nothing else is printed or started",
  async () => {
    const home = temporaryDirectory();
    const initialize = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
    const finished = await postern([], {
      home,
      input:
        request(1, "get_server_info") +
        request(2, "initialize", initialize) +
        request(3, "tools/list") +
        request(4, "get_tmux_sessions", {}) +
        request(5, "read_tmux_pane", { session: "test" }),
    });
    const answers = new Map(frames(finished).map((frame) => [frame["id"], frame]));

    expect(finished).toMatchObject({ code: 0, stderr: "" });
    expect(new Set(answers.keys())).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(answers.get(1)).toMatchObject({
      result: { write_enabled: false, server_running: false },
    });
    expect(answers.get(2)).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
    expect(answers.get(4)).toMatchObject({ result: { sessions: [], count: 0 } });
    expect(answers.get(5)).toMatchObject({ error: { code: -32000, data: { code: "no_server" } } });
    expect(existsSync(join(home, ".config/mcp-tmux/config.json"))).toBe(true);
    expect(existsSync(join(home, ".local"))).toBe(false);
    expect(existsSync(join(home, `tmux-${String(process.getuid?.())}`))).toBe(false);
  },
);

proves(
  ["TMUX-82", "TMUX-83", "TMUX-84"],
  "bare calls fail with the documented codes, need an id, and can be switched off",
  async () => {
    const lines = [
      "not json\n",
      request(1, "no_such_tool"),
      request(2, "read_tmux_pane", { session: "x", windo: 1 }),
      '{"jsonrpc":"2.0","id":3,"method":"get_server_info","params":[]}\n',
      '{"jsonrpc":"2.0","method":"get_server_info"}\n',
      request(4, "write_tmux_pane", { session: "x", text: "y" }),
    ];
    const answered = frames(await postern([], { input: lines.join("") }));
    const off = frames(await postern(["--no-legacy"], { input: request(9, "get_server_info") }));
    const errors = answered.map(({ id, error }) => [id, (error as { code: number }).code]);

    expect(errors).toHaveLength(5);
    expect(new Map(errors as [unknown, number][])).toEqual(
      new Map<unknown, number>([
        [null, -32_700],
        [1, -32_601],
        [2, -32_602],
        [3, -32_602],
        [4, -32_000],
      ]),
    );
    expect(answered.find(({ id }) => id === 4)).toMatchObject({
      error: {
        message: expect.stringContaining("write_enabled") as string,
        data: { code: "effect_not_enabled" },
      },
    });
    expect(off).toMatchObject([{ id: 9, error: { code: -32_601 } }]);
  },
);

proves(
  ["TMUX-05", "TMUX-40"],
  "writing is off until the configuration or the flag enables it, and --read-only beats both",
  async () => {
    const home = temporaryDirectory();
    const project = temporaryDirectory();
    mkdirSync(join(home, ".config/mcp-tmux"), { recursive: true });
    writeFileSync(join(home, ".config/mcp-tmux/config.json"), '{"write_enabled": true}');
    writeFileSync(join(project, "config.json"), '{"write_enabled": true}');
    const input = request(1, "get_server_info");
    const enabled = async (args: string[], surroundings: Surroundings): Promise<unknown> =>
      frames(await postern(args, { input, ...surroundings }))[0]?.["result"];

    expect(await enabled([], { cwd: project })).toMatchObject({ write_enabled: false });
    expect(await enabled(["--write"], {})).toMatchObject({ write_enabled: true });
    expect(await enabled([], { home })).toMatchObject({ write_enabled: true });
    expect(await enabled(["--write", "--read-only"], { home })).toMatchObject({
      write_enabled: false,
    });
  },
);

proves("TMUX-09", "doctor tells what it found, and for a problem what to do", async () => {
  const { socket } = await privateTmux({ session: "wörk" });
  const fine = await postern(["doctor", "--socket", socket]);
  const noTmux = await postern(["doctor", "--socket", socket], { path: temporaryDirectory() });

  expect(fine.code).toBe(0);
  expect(fine.stdout).toContain(socket);
  expect(fine.stdout).toContain("wörk (allowed)");
  expect(fine.stdout).toContain('{"mcpServers": {"tmux": {"command": "postern-tmux"');
  expect(noTmux.code).toBe(1);
  expect(noTmux.stdout).toContain("fix: apt-get install tmux");
});

proves("TMUX-88", "pause, hide and resume bind a server that runs already", async () => {
  const { socket, tmux } = await privateTmux();
  const { child, finished } = start(["--socket", socket, "--write"], {});
  const ask = async (id: number): Promise<string> => {
    const answer = once(child.stdout, "data");
    child.stdin.write(request(id, "get_pane_info", { session: "work" }));
    const [chunk] = (await answer) as [Buffer];
    const { result, error } = JSON.parse(chunk.toString()) as {
      result?: { not_writable_reason: string | null };
      error?: { data: { code: string } };
    };
    return result ? String(result.not_writable_reason) : (error?.data.code ?? "");
  };
  const turn = async (...args: string[]): Promise<number | null> =>
    (await postern([...args, "--socket", socket])).code;

  expect(await ask(1)).toBe("null");
  expect(await turn("pause")).toBe(0);
  expect(await ask(2)).toBe("paused_by_user");
  expect(await turn("hide", "work")).toBe(0);
  expect(await ask(3)).toBe("hidden_by_user");
  expect((await postern(["resume", "--socket", socket])).stdout).toBe(
    "Agents may do what the configuration says everywhere, except in: work.\n",
  );
  expect((await postern(["doctor", "--socket", socket])).stdout).toContain(
    "work (allowed, hidden by you)",
  );
  expect(await turn("resume", "work")).toBe(0);
  expect(await ask(4)).toBe("null");
  expect(await turn("hide", "wor")).toBe(1);
  expect(await tmux("show", "-gqv", "@postern_all")).toBe("");
  child.stdin.end();
  expect((await finished).code).toBe(0);
});

test("a signal ends it cleanly, and its log is JSON lines on stderr", async () => {
  const { socket } = await privateTmux();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    const { child, finished } = start(["--socket", socket, "--log-level", "info"], {});
    child.stdin.write(request(1, "get_server_info"));
    await once(child.stdout, "data");
    child.kill(signal);
    const { code, stderr } = await finished;
    const events = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);

    expect(code).toBe(0);
    expect(events[0]).toMatchObject({ level: "info", event: "started", allowed_sessions: "all" });
  }
});

test("a descriptor that was left open to it reaches no tmux", async () => {
  const { socket } = await privateTmux();
  const file = join(temporaryDirectory(), "left-open");
  writeFileSync(file, "");
  const script = `exec 20<'${file}'; exec "$@"`;
  const command = [process.execPath, "--conditions=@postern/source", bin, "--socket", socket];
  const child = spawn("bash", ["-c", script, "bash", ...command]);
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.write(request(1, "get_server_info"));
  await once(child.stdout, "data");

  expect(linksOf(child.pid)).not.toContain(file);
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});

/** What the descriptors of a process lead to (Linux). */
function linksOf(pid: number | undefined): string[] {
  if (process.platform !== "linux") return [];
  const folder = `/proc/${String(pid)}/fd`;
  return readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
}
