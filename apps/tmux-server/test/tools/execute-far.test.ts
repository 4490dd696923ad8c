import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, proves, requirePart, temporaryDirectory } from "@postern/testing";
import { expect, type TestContext } from "vitest";
import { refusalOf } from "../rig/reading-app.ts";
import { work, writingRig, type WritingRig } from "../rig/writing-rig.ts";

/** The words that log in to this machine through ssh, without a port: the server speaks on a pipe. */
function sshHere(context: TestContext): readonly string[] {
  const sshd = requirePart(context, "sshd", "apt-get install openssh-server");
  const keygen = requirePart(context, "ssh-keygen", "apt-get install openssh-client");
  const directory = temporaryDirectory();
  for (const name of ["host", "user"]) {
    execFileSync(keygen, ["-q", "-t", "ed25519", "-N", "", "-f", join(directory, name)]);
  }
  const settings = join(directory, "sshd.conf");
  writeFileSync(
    settings,
    `HostKey ${directory}/host\nAuthorizedKeysFile ${directory}/user.pub\nStrictModes no\nUsePAM no\nPidFile none\nPrintMotd no\n`,
  );
  // A server started by root wants this directory, which its service makes.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const options = [
    `ProxyCommand=${sshd} -i -f ${settings}`,
    "StrictHostKeyChecking=no",
    "UserKnownHostsFile=/dev/null",
    "LogLevel=ERROR",
  ];
  return ["ssh", "-t", "-i", join(directory, "user"), ...options.flatMap((one) => ["-o", one])];
}

async function atTextPrompt({ info }: WritingRig): Promise<void> {
  await eventually(async () => (await info(work)).prompt_source === "text", {
    what: "the prompt",
  });
}

proves(
  ["TMUX-60", "TMUX-61"],
  "through ssh a named shell gives exit codes and keeps its state",
  async (context) => {
    const ssh = sshHere(context);
    const remote = "env PS1='far$ ' bash --noprofile --norc -i";
    const rig = await writingRig({ program: [...ssh, "here", remote] });
    await atTextPrompt(rig);
    const run = async (command: string): Promise<readonly unknown[]> => {
      const answer = await rig.run({ ...work, command, shell: "posix" });
      return [answer.outcome, answer.exit_code, answer.output_lines, answer.method];
    };

    expect((await refusalOf(rig.run({ ...work, command: "true" }))).code).toBe("not_a_shell");
    expect(await run("cd /; X='a  b'; false")).toEqual(["completed", 1, [], "marker"]);
    expect(await run('pwd; echo "$X"')).toEqual(["completed", 0, ["/", "a  b"], "marker"]);
    expect(await run("read -s -p 'Password: ' x")).toEqual([
      "needs_user_input",
      null,
      ["Password:"],
      "marker",
    ]);
    await rig.press({ ...work, key: "C-c" });
    await atTextPrompt(rig);
    const long = rig.run({ ...work, command: `: ${"x".repeat(4_000)}`, shell: "posix" });
    expect((await refusalOf(long)).code).toBe("text_too_long");
    expect(await run("echo end; (exit 9)")).toEqual(["completed", 9, ["end"], "marker"]);
  },
  60_000,
);

proves(
  ["TMUX-60", "TMUX-65"],
  "method prompt asks an interpreter, line by line, and claims no exit code",
  async () => {
    const rig = await writingRig({ program: [process.execPath, "-i"] });
    await atTextPrompt(rig);
    const ask = async (command: string): Promise<readonly unknown[]> => {
      const answer = await rig.run({ ...work, command, method: "prompt", timeout: 20 });
      expect(answer).toMatchObject({ method: "prompt", exit_code: null });
      return [answer.outcome, answer.output_lines];
    };

    expect((await refusalOf(rig.run({ ...work, command: "1" }))).code).toBe("not_a_shell");
    expect(await ask("let x = 6 * 7")).toEqual(["completed", ["undefined"]]);
    expect(await ask("x + 1")).toEqual(["completed", ["43"]]);
    expect(await ask("console.log('a'); console.log('x + 1')")).toEqual([
      "completed",
      ["a", "x + 1", "undefined"],
    ]);
    expect((await ask("for (const n of [1, 2]) {\nconsole.log(n)\n}"))[1]).toEqual([
      "1",
      "2",
      "undefined",
    ]);
    expect((await ask("function open() {"))[0]).toBe("incomplete_input");
    await rig.press({ ...work, key: "C-c" });
    await atTextPrompt(rig);
    await rig.write({ ...work, text: "half" });
    const refusal = await refusalOf(rig.run({ ...work, command: "1", method: "prompt" }));
    expect(refusal.code).toBe("command_running");
  },
  60_000,
);

proves("TMUX-65", "in a local shell method prompt types the command as it is", async () => {
  const rig = await writingRig();
  const answer = await rig.run({ ...work, command: "echo plain", method: "prompt" });
  const screen = await rig.tmux("capture-pane", "-p", "-t", "work");
  const open = await rig.run({ ...work, command: "echo 'open", method: "prompt" });

  expect(answer).toMatchObject({
    outcome: "completed",
    method: "prompt",
    exit_code: null,
    output_lines: ["plain"],
  });
  expect(screen.split("\n")).toEqual(["$ echo plain", "plain", "$"]);
  expect(open.outcome).toBe("incomplete_input");
});

proves("TMUX-65", "a prompt is taken for the end where the shell dropped the marker", async () => {
  const rig = await writingRig();
  const run = rig.run({ ...work, command: "echo begun; sleep 60" });
  await eventually(async () => (await rig.info(work)).current_command === "sleep");
  await rig.press({ ...work, key: "C-c" });

  expect(await run).toMatchObject({
    outcome: "completed",
    method: "prompt",
    exit_code: null,
    output_lines: ["begun", "^C"],
  });
});

proves(
  "TMUX-69",
  "a run that takes long tells its caller every five seconds how far its output is",
  async () => {
    const rig = await writingRig();
    const told: unknown[][] = [];
    const command = "printf 'one\\ntwo\\033[8mhidden\\033[0m\\n'; sleep 5.6";
    const answer = await rig.run(
      { ...work, command, timeout: 20 },
      { reportProgress: (...report) => told.push(report) },
    );

    expect(answer.exit_code).toBe(0);
    expect(told).toEqual([[5, 20, "2 lines; last: two⟦hidden: 6 chars⟧"]]);
  },
  60_000,
);
