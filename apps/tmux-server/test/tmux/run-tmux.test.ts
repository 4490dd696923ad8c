import { chmodSync, copyFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { createTmux, type Tmux } from "../../src/tmux/run-tmux.ts";
import { tmuxError } from "../../src/tmux/tmux-outcome.ts";
import { privateTmux } from "../rig/private-tmux.ts";
import { readingApp, readingTools, refusalOf } from "../rig/reading-app.ts";

const work = { session: "work" };

proves(
  "TMUX-07",
  "tmux gets the arguments unchanged and no variable that names another server",
  async () => {
    const { socket } = await privateTmux();
    const environment = { PATH: process.env["PATH"], TMUX: "/tmp/elsewhere,1,0", SECRET: "x" };
    const tmux = createTmux({ path: "tmux", socket, timeoutMs: 5_000, environment });
    const odd = "$(touch x); `id` | \u{1f600} #{pid}";

    const set = await tmux.run(["set-option", "-g", "@odd", odd]);
    const shown = await tmux.run(["show-options", "-gv", "@odd"]);
    const client = await tmux.run(["display-message", "-p", "#{socket_path}"]);

    expect(set.kind).toBe("answered");
    expect(text(shown)).toBe(`${odd}\n`);
    expect(text(client)).toBe(`${socket}\n`);
  },
);

test("no command founds a tmux server", async () => {
  const socket = join(temporaryDirectory(), "s");
  const tmux = createTmux({ path: "tmux", socket, timeoutMs: 5_000, environment: process.env });

  expect(await tmux.run(["new-session", "-d"])).toMatchObject({ kind: "no_server", socket });
  expect(await tmux.run(["list-panes", "-a"])).toMatchObject({ kind: "no_server", socket });
});

proves(
  "TMUX-90",
  "a missing tmux is told with the line that installs it, and found once it is there",
  async () => {
    const { socket } = await privateTmux();
    const directory = temporaryDirectory();
    const environment = { PATH: directory };
    const { read, info } = readingTools(readingApp({ socket, environment }));

    const missing = await refusalOf(read(work));
    expect(missing.code).toBe("tmux_not_found");
    expect(missing.message).toContain("apt-get install tmux");
    expect(await info()).toMatchObject({
      tmux_available: false,
      tmux_version: null,
      server_running: false,
    });

    symlinkSync(realTmux(), join(directory, "tmux"));
    expect(await read(work)).toMatchObject({ target: "work:0.0" });
    expect(await info()).toMatchObject({ tmux_available: true, server_running: true });
  },
);

proves("TMUX-91", "a killed server is told, and the next one is read anew", async () => {
  const { socket, tmux, print } = await privateTmux();
  const { read, sessions } = readingTools(readingApp({ socket }));
  await print("work:0.0", "before\n");
  await read(work);

  await tmux("kill-server");
  expect((await refusalOf(read(work))).code).toBe("no_server");
  expect(await sessions()).toEqual({ sessions: [], count: 0, truncated: false });

  await tmux("new-session", "-d", "-s", "work", "sleep", "1000");
  await print("work:0.0", "after\n");
  expect(await read(work)).toMatchObject({
    new_lines: ["after"],
    anchor: "new",
    pane_replaced: true,
  });
});

test("without a server the list is empty and reads say so, until one runs", async () => {
  const socket = join(temporaryDirectory(), "s");
  const { read, sessions, info } = readingTools(readingApp({ socket }));

  expect(await sessions()).toEqual({ sessions: [], count: 0, truncated: false });
  expect(await refusalOf(read(work))).toMatchObject({ code: "no_server", data: { socket } });
  expect(await info()).toMatchObject({ tmux_available: true, server_running: false });

  await privateTmux({ socket });
  expect(await read(work)).toMatchObject({ target: "work:0.0" });
});

proves("TMUX-92", "a tmux that hangs is a timeout", async () => {
  const tmux = fakeTmux("hangs", 500);
  const outcome = await tmux.run(["list-panes"]);

  expect(outcome).toEqual({ kind: "timed_out", limitMs: 500 });
});

test("a tmux that floods, fails or is too old is told by its own code", async () => {
  expect(await fakeTmux("floods").run(["list-panes"])).toMatchObject({ kind: "too_large" });
  expect(await fakeTmux("old").run(["list-panes"])).toEqual({ kind: "too_old", version: "3.1c" });
  const failed = await fakeTmux("fails").run(["list-panes"]);
  const error = tmuxError(failed as Exclude<typeof failed, { kind: "answered" }>);
  expect(failed.kind).toBe("refused");
  expect(error.code).toBe("tmux_failed");
  expect(error.message).not.toMatch(/[\u0000-\u001f]/);
});

test("an answer over 64 MiB is refused, one over the usual 4 MiB is not where it is allowed", async () => {
  const { socket, tmux } = await privateTmux();
  const big = "x".repeat(15_000);
  const client = createTmux({ path: "tmux", socket, timeoutMs: 20_000, environment: process.env });
  for (let index = 0; index < 300; index += 1)
    await tmux("set-option", "-g", `@o${String(index)}`, big);

  expect(await client.run(["show-options", "-g"])).toMatchObject({ kind: "too_large" });
  const whole = await client.run(["show-options", "-g"], { large: true });
  expect(text(whole).length).toBeGreaterThan(4 * 1024 * 1024);
  expect(await fakeTmux("floods", 20_000).run([], { large: true })).toEqual({
    kind: "too_large",
    limitBytes: 64 * 1024 * 1024,
  });
});

proves(
  "TMUX-96",
  "of a thousand calls eight run at once, 256 wait and the rest are refused",
  async () => {
    const { socket } = await privateTmux();
    const { sessions } = readingTools(readingApp({ socket }));
    await sessions();

    const codes = await Promise.all(
      Array.from({ length: 1_000 }, () =>
        sessions().then(
          () => "ok",
          (error: { code: string }) => error.code,
        ),
      ),
    );

    expect(codes.filter((code) => code === "ok")).toHaveLength(264);
    expect(codes.filter((code) => code === "too_many_in_flight")).toHaveLength(736);
    await eventually(async () => (await sessions()).count === 1);
  },
);

function fakeTmux(kind: string, timeoutMs = 5_000): Tmux {
  const directory = temporaryDirectory();
  const path = join(directory, `tmux-${kind}`);
  copyFileSync(join(import.meta.dirname, "../fixtures/fake-tmux.mjs"), path);
  chmodSync(path, 0o755);
  const environment = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  return createTmux({ path, socket: join(directory, "s"), timeoutMs, environment });
}

function realTmux(): string {
  return "/usr/bin/tmux";
}

function text(outcome: Awaited<ReturnType<Tmux["run"]>>): string {
  return outcome.kind === "answered" ? outcome.stdout.toString() : outcome.kind;
}
