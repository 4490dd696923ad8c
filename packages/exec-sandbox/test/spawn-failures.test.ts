import { proves, temporaryDirectory } from "@postern/testing";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  openSync,
  closeSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { openDirectory, resolveExecutable, runCommand, startProcess } from "../src/index.ts";
import { opened, resolved, searchPath, systemCommand } from "./programs.ts";

const nobody = fileURLToPath(new URL("fixtures/as-nobody.mjs", import.meta.url));

/** Runs a task of the fixture that gives up root, and returns what it printed. */
function asNobody(...args: readonly string[]): unknown {
  const child = spawnSync(process.execPath, ["--conditions=@postern/source", nobody, ...args], {
    encoding: "utf8",
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout);
}

/** A copy of `true` that a test may break. */
async function brokenLater(): Promise<{ path: string; command: Parameters<typeof runCommand>[0] }> {
  const path = join(temporaryDirectory(), "program");
  copyFileSync((await resolved("true")).path, path);
  chmodSync(path, 0o755);
  const command = { ...(await systemCommand("true", [])), executable: await resolved(path) };
  return { path, command };
}

const notStarted = (code: string): object => ({ kind: "not_started", code });

proves("EXEC-01", "arguments that could not arrive unchanged are refused", async () => {
  const command = await systemCommand("true", []);
  const run = async (args: unknown): Promise<unknown> =>
    await runCommand({ ...command, args: args as string[] });

  for (const args of ["true", [1], [["a"]], ["a\0b"], ["\ud800"], [undefined]]) {
    expect(await run(args)).toEqual(notStarted("invalid_argument"));
  }
  for (const args of [["x".repeat(131_072)], ["x".repeat(10 << 20)], Array(4_097).fill("")]) {
    expect(await run(args)).toEqual(notStarted("arguments_too_long"));
  }
});

proves(
  "EXEC-01",
  "arguments up to each limit are accepted, one byte more in all is not",
  async () => {
    const command = await systemCommand("true", []);
    const largest = "x".repeat(131_071);
    const full = [...Array<string>(8).fill(largest), "x".repeat(8)];

    expect(await runCommand({ ...command, args: [largest] })).toMatchObject({ kind: "exited" });
    expect(await runCommand({ ...command, args: Array<string>(4_096).fill("") })).toMatchObject({
      kind: "exited",
    });
    expect(await runCommand({ ...command, args: full })).toMatchObject({ kind: "exited" });
    expect(await runCommand({ ...command, args: [...full, "x"] })).toEqual(
      notStarted("arguments_too_long"),
    );
  },
);

proves(["EXEC-08", "EXEC-21"], "a program that is gone is the program's fault", async () => {
  const { path, command } = await brokenLater();
  rmSync(path);

  expect(await runCommand(command)).toEqual(notStarted("executable_missing"));
});

proves(
  ["EXEC-08", "EXEC-21"],
  "a directory that is gone is the directory's fault, also when the program is gone too",
  async () => {
    const { path, command } = await brokenLater();
    const folder = join(temporaryDirectory(), "d");
    mkdirSync(folder);
    const directory = await opened(folder);
    rmdirSync(folder);

    expect(await runCommand({ ...command, directory })).toEqual(notStarted("directory_missing"));
    rmSync(path);
    expect(await runCommand({ ...command, directory })).toEqual(notStarted("directory_missing"));
    expect(await startProcess({ ...command, directory }, { stopBy: [] })).toEqual(
      notStarted("directory_missing"),
    );
  },
);

proves("EXEC-08", "a directory that was let go, or made by hand, is refused", async () => {
  const command = await systemCommand("true", []);
  const closed = await opened("/tmp");
  await closed.close();

  expect(await runCommand({ ...command, directory: closed })).toEqual(
    notStarted("invalid_argument"),
  );
  expect(await runCommand({ ...command, directory: { ...command.directory } })).toEqual(
    notStarted("invalid_argument"),
  );
});

proves(["EXEC-08", "EXEC-21"], "a program without its execute bit is not permitted", async () => {
  const { path, command } = await brokenLater();
  chmodSync(path, 0o644);

  expect(await runCommand(command)).toEqual(notStarted("not_permitted"));
});

proves(["EXEC-08", "EXEC-21"], "without rights, program and directory are told apart", async () => {
  const folder = temporaryDirectory();
  const { path } = await brokenLater();

  const program = asNobody("run", path, "/");
  const directory = asNobody("run", "/usr/bin/true", folder);

  expect(program).toEqual(notStarted("not_permitted"));
  expect(directory).toEqual(notStarted("directory_changed"));
});

proves(
  "EXEC-21",
  "a missing interpreter, and bytes no kernel runs, are a bad interpreter",
  async () => {
    const { path, command } = await brokenLater();
    writeFileSync(path, "#!/no/such/program\n");
    const script = await runCommand({ ...command, executable: await resolved(path) });
    writeFileSync(path, "\u007fELF and nothing else");
    const damaged = await runCommand(command);
    writeFileSync(path, "echo a shell would run this\n");
    const text = await runCommand(command);

    expect(script).toEqual(notStarted("bad_interpreter"));
    expect(damaged).toEqual(notStarted("bad_interpreter"));
    expect(text).toEqual(notStarted("bad_interpreter"));
  },
);

proves("EXEC-21", "a program that is being written is busy", async () => {
  const { path, command } = await brokenLater();
  const writer = openSync(path, "r+");

  const outcome = await runCommand(command);

  closeSync(writer);
  expect(outcome).toEqual(notStarted("text_busy"));
});

proves("EXEC-21", "no more processes and no more descriptors have codes of their own", () => {
  expect(asNobody("tooManyProcesses")).toEqual(notStarted("too_many_processes"));
  expect(asNobody("tooManyFiles")).toEqual([
    notStarted("too_many_files"),
    notStarted("too_many_files"),
  ]);
});

proves("EXEC-21", "a program pinned by content may move, but not change", async () => {
  const { path, command } = await brokenLater();
  const pinned = await resolveExecutable(path, { searchPath, pin: "sha256" });
  const executable = pinned.kind === "resolved" ? pinned.executable : command.executable;
  copyFileSync(path, `${path}.new`);
  chmodSync(`${path}.new`, 0o755);
  renameSync(`${path}.new`, path);
  const moved = await runCommand({ ...command, executable });
  rmSync(path);
  writeFileSync(path, "#!/bin/sh\n", { mode: 0o755 });
  const changed = await runCommand({ ...command, executable });

  expect(moved).toMatchObject({ kind: "exited", exitCode: 0 });
  expect(changed).toEqual(notStarted("identity_changed"));
});

proves("EXEC-08", "a directory that may not be entered is refused at once", () => {
  expect(asNobody("openDirectory", temporaryDirectory())).toEqual({
    kind: "refused",
    code: "not_permitted",
  });
});

proves("EXEC-20", "no answer to a failed start holds arguments, environment or paths", async () => {
  const { path, command } = await brokenLater();
  rmSync(path);

  const outcome = await runCommand({ ...command, args: ["s3cret"] });
  const missing = await openDirectory("/no/s3cret");

  expect(JSON.stringify([outcome, missing])).not.toMatch(/s3cret|program/);
});
