import { proves, eventually, temporaryDirectory } from "@postern/testing";
import { realpathSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand, renderCaptured, type RunOutcome } from "../src/index.ts";
import { fixtureCommand, newTag, opened, shellCommand, systemCommand, tagged } from "./programs.ts";

function ran(outcome: RunOutcome): Exclude<RunOutcome, { kind: "not_started" | "lost" }> {
  if (outcome.kind === "not_started" || outcome.kind === "lost") {
    throw new Error(JSON.stringify(outcome));
  }
  return outcome;
}

test.each([
  { timeoutMs: 49 },
  { timeoutMs: 600_001 },
  { timeoutMs: Number.NaN },
  { graceMs: -1 },
  { graceMs: 10_001 },
  { outputCapBytes: 1_023 },
  { outputCapBytes: 4 * 1024 * 1024 + 1 },
])("an option outside its bounds is refused: %o", async (options) => {
  const outcome = await runCommand(await systemCommand("true", []), options);

  expect(outcome).toEqual({ kind: "not_started", code: "invalid_argument" });
});

test("a sandbox tier that is not there is refused, never replaced by less", async () => {
  const outcome = await runCommand(await systemCommand("true", []), { tier: "landlock" });

  expect(outcome).toEqual({ kind: "not_started", code: "tier_unavailable" });
});

proves(
  "EXEC-01",
  "every argument reaches the program unchanged, whatever a shell would do to it",
  async () => {
    const args = ["", " a  b ", "$(id)", "`id`", "*", "'\"\\", "-c", "a\nb", "é 𝄞 ‮", "%PATH%"];

    const outcome = ran(await runCommand(await fixtureCommand("prints-argv", ...args)));

    expect(JSON.parse(outcome.stdout.head)).toEqual(args);
  },
);

test("a program sees the link it was found by, and the file that was looked at is what runs", async () => {
  const link = join(temporaryDirectory(), "by-another-name");
  symlinkSync(process.execPath, link);
  const script = "console.log(JSON.stringify([process.argv0, process.execPath]))";
  const command = await systemCommand(link, ["-e", script]);
  unlinkSync(link);
  symlinkSync("/bin/false", link);

  const outcome = ran(await runCommand(command));

  expect(JSON.parse(outcome.stdout.head)).toEqual([link, realpathSync(process.execPath)]);
});

test("the program starts in the directory that was opened", async () => {
  const directory = temporaryDirectory();
  const command = { ...(await systemCommand("pwd", [])), directory: await opened(directory) };

  const outcome = ran(await runCommand(command));

  expect(outcome.stdout.head).toBe(`${directory}\n`);
});

proves("EXEC-10", "without input bytes standard input is the null device", async () => {
  const outcome = ran(await runCommand(await shellCommand("test -c /dev/stdin; echo $?; cat")));

  expect(outcome.stdout.head).toBe("0\n");
});

proves("EXEC-10", "given bytes are the whole input, up to 1 MiB, and then it ends", async () => {
  const command = await fixtureCommand("echoes");
  const options = { outputCapBytes: 4 * 1024 * 1024 };

  const full = ran(await runCommand({ ...command, stdin: new Uint8Array(1024 * 1024) }, options));
  const over = await runCommand({ ...command, stdin: new Uint8Array(1024 * 1024 + 1) }, options);

  expect(full.stdout.totalBytes).toBe(1024 * 1024);
  expect(full.stderr.head).toBe("input ended\n");
  expect(over).toEqual({ kind: "not_started", code: "invalid_argument" });
});

test("a program that does not read its input is no failure", async () => {
  const command = await systemCommand("true", []);

  const outcome = await runCommand({ ...command, stdin: new Uint8Array(1024 * 1024) });

  expect(outcome).toMatchObject({ kind: "exited", exitCode: 0 });
});

proves("EXEC-11", "a program that ignores TERM is killed after the grace", async () => {
  const command = await fixtureCommand("ignores-sigterm");

  const outcome = ran(await runCommand(command, { timeoutMs: 600, graceMs: 200 }));

  expect(outcome).toMatchObject({ kind: "timed_out", killedWith: "KILL", signal: "SIGKILL" });
  expect(outcome.stdout.head).toContain("not yet");
  expect(outcome.durationMs).toBeGreaterThanOrEqual(800);
  expect(outcome.durationMs).toBeLessThan(3_000);
});

proves(
  "EXEC-11",
  "a program that obeys TERM is not killed and does not use up its grace",
  async () => {
    const command = await systemCommand("sleep", [newTag()]);

    const outcome = ran(await runCommand(command, { timeoutMs: 100, graceMs: 10_000 }));

    expect(outcome).toMatchObject({ kind: "timed_out", killedWith: "TERM", signal: "SIGTERM" });
    expect(outcome.durationMs).toBeLessThan(5_000);
  },
);

proves(
  "EXEC-11",
  "cancelling while it runs takes the same path, and before the start nothing starts",
  async () => {
    const abort = new AbortController();
    const command = await systemCommand("sleep", [newTag()]);

    const outcome = await runCommand(command, {
      signal: abort.signal,
      onStarted: () => setTimeout(() => abort.abort(), 50),
    });
    const refused = await runCommand(command, { signal: abort.signal });

    expect(outcome).toMatchObject({ kind: "cancelled", killedWith: "TERM", survivorCheck: "tree" });
    expect(refused).toEqual({ kind: "not_started", code: "cancelled" });
  },
);

proves("EXEC-12", "each child leads its own group and session", async () => {
  const outcome = ran(await runCommand(await shellCommand('ps -o pid=,pgid=,sid= -p "$$"; :')));

  const pid = String(outcome.pid);
  expect(outcome.stdout.head.trim().split(/\s+/)).toEqual([pid, pid, pid]);
});

proves("EXEC-12", "the exit hook is there only while something runs", async () => {
  const before = process.listenerCount("exit");
  let during = 0;

  await runCommand(await systemCommand("true", []), {
    onStarted: () => {
      during = process.listenerCount("exit");
    },
  });

  expect(during).toBe(before + 1);
  expect(process.listenerCount("exit")).toBe(before);
});

proves(
  "EXEC-13",
  "`sleep & echo hi` answers after 250 ms with what was said, and the sleeper is ended",
  async () => {
    const tag = newTag();

    const outcome = ran(await runCommand(await shellCommand('sleep "$0" & echo hi', tag)));

    expect(outcome).toMatchObject({
      kind: "exited",
      exitCode: 0,
      pipesHeldOpen: true,
      survivors: [],
    });
    expect(outcome.stdout.head).toBe("hi\n");
    expect(outcome.durationMs).toBeLessThan(1_000);
    await eventually(() => tagged(tag).length === 0, { timeoutMs: 2_000 });
  },
);

proves("EXEC-13", "with `report` the holder of the pipes is listed and left alone", async () => {
  const tag = newTag();
  const command = await fixtureCommand("holds-pipe", tag);

  const outcome = ran(await runCommand(command, { survivors: "report" }));

  const [pid] = tagged(tag);
  expect(outcome).toMatchObject({ pipesHeldOpen: true, killedWith: "none", survivorCheck: "tree" });
  expect(outcome.survivors).toEqual([{ pid, command: "sleep" }]);
});

proves("EXEC-19", "a run ended by a signal has no exit code and names the signal", async () => {
  const outcome = await runCommand(await shellCommand("kill -9 $$"));

  expect(outcome).toMatchObject({ kind: "signaled", signal: "SIGKILL", exitCode: null });
  expect(outcome).toMatchObject({ killedWith: "none" });
});

proves("EXEC-19", "a killed run carries the exit code it chose on TERM", async () => {
  const script = 'trap "exit 7" TERM; sleep "$0" & wait';

  const outcome = await runCommand(await shellCommand(script, newTag()), { timeoutMs: 300 });

  expect(outcome).toMatchObject({ kind: "timed_out", exitCode: 7, signal: null });
});

proves("EXEC-16", "over the cap the run goes on, is counted, and keeps its exit code", async () => {
  const command = await fixtureCommand("floods-stdout", "3000000");

  const outcome = ran(await runCommand(command, { outputCapBytes: 1024 }));

  expect(outcome).toMatchObject({ kind: "exited", exitCode: 3 });
  expect(outcome.stdout).toMatchObject({ totalBytes: 3_000_000, truncated: true });
  expect(outcome.stdout.headBytes + outcome.stdout.tailBytes).toBe(1024 - 5);
  expect(outcome.stdout.omittedBytes).toBe(3_000_000 - 1019);
  expect(outcome.stderr).toMatchObject({ head: "done\n", truncated: false });
  expect(renderCaptured(outcome.stdout)).toContain("\n[2998981 bytes omitted]\n");
});

proves(
  "EXEC-16",
  "with `kill` the run ends at the cap: at it, not; one byte over, yes",
  async () => {
    const options = { outputCapBytes: 2_005, onOverflow: "kill" } as const;

    const at = await runCommand(await fixtureCommand("floods-stdout", "2000"), options);
    const over = await runCommand(
      await fixtureCommand("floods-stdout", "2001", "forever"),
      options,
    );

    expect(at).toMatchObject({ kind: "exited", exitCode: 3 });
    expect(over).toMatchObject({ kind: "output_limit", survivors: [], survivorCheck: "tree" });
  },
);

proves("EXEC-17", "a character that arrives in two pieces is one character", async () => {
  const script = "printf '\\342'; sleep 0.1; printf '\\211\\244'";

  const outcome = ran(await runCommand(await shellCommand(script)));

  expect(outcome.stdout).toMatchObject({ head: "≤", encoding: "utf-8", totalBytes: 3 });
});

proves("EXEC-17", "invalid bytes show as U+FFFD, are said to, and are given exactly", async () => {
  const script = "printf 'a\\377\\376\\000b\\r\\n\\033[1m'";

  const outcome = ran(await runCommand(await shellCommand(script)));

  expect(outcome.stdout.head).toBe("a\uFFFD\uFFFD\0b\r\n\u001b[1m");
  expect(outcome.stdout.encoding).toBe("utf-8-replaced");
  expect([...outcome.stdout.bytes().head.subarray(0, 4)]).toEqual([97, 255, 254, 0]);
});

proves(
  "EXEC-18",
  "output is passed on in order and in whole characters while the run goes on",
  async () => {
    const parts: string[] = [];
    const script = "printf 'a\\342'; sleep 0.05; printf '\\211\\244b'; sleep 0.05; printf err >&2";

    await runCommand(await shellCommand(script), {
      onOutput: (stream, text) => parts.push(`${stream}:${text}`),
    });

    expect(parts).toEqual(["stdout:a", "stdout:≤b", "stderr:err"]);
  },
);

proves("EXEC-18", "the listener gets the cap and one note, however much more comes", async () => {
  const parts: string[] = [];
  const command = await fixtureCommand("floods-stdout", "500000");

  await runCommand(command, {
    outputCapBytes: 1024,
    onOutput: (stream, text) => parts.push(text),
  });

  expect(parts.join("")).toMatch(/^[a-z]{1024}\n\[output after 1024 bytes is not shown here\]\n$/);
});
