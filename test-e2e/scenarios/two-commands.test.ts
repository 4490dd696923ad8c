import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { execa } from "execa";
import { expect } from "vitest";

const root = join(import.meta.dirname, "../..");

/** A PATH of one folder that holds links to the given programs and nothing else. */
function pathOf(folder: string, programs: readonly string[]): string {
  const directory = join(folder, "bin");
  mkdirSync(directory);
  for (const program of programs) symlinkSync(program, join(directory, basename(program)));
  symlinkSync(process.execPath, join(directory, "node"));
  return directory;
}

function program(directory: string, name: string, script: string): void {
  writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(directory, name), 0o755);
}

proves("QUAL-70", "without tmux the tour says how to get it and exits 3", async () => {
  const path = pathOf(temporaryDirectory(), []);
  program(path, "pnpm", 'if [ "$1" = --version ]; then echo 12.21.0; fi');

  const answer = await execa(process.execPath, ["tooling/bootstrap.mjs", "tour"], {
    cwd: root,
    env: { PATH: path },
    extendEnv: false,
    reject: false,
  });

  expect(answer.exitCode).toBe(3);
  expect(answer.stderr).toContain("apt-get install tmux");
  expect(answer.stderr).toContain("brew install tmux");
});

proves(
  "QUAL-71",
  "a verification that cannot even install ends with the closing line and fails",
  async () => {
    const path = pathOf(temporaryDirectory(), []);
    program(path, "pnpm", 'if [ "$1" = --version ]; then echo 12.21.0; else exit 9; fi');

    const answer = await execa(process.execPath, ["tooling/bootstrap.mjs", "verify"], {
      cwd: root,
      env: { PATH: path },
      extendEnv: false,
      reject: false,
    });

    expect(answer.exitCode).toBe(9);
    expect(answer.stdout.trim().split("\n").at(-1)).toBe("0 passed, 1 failed, 0 skipped");
  },
);

proves(
  "QUAL-72",
  "the pipeline installs what is absent and then runs the one command",
  async () => {
    const folder = temporaryDirectory();
    const path = pathOf(folder, ["/bin/bash", "/usr/bin/dirname", "/usr/bin/env"]);
    for (const name of ["apt-get", "npm"])
      program(path, name, `echo "${name} $* CI=$CI" >> '${folder}/calls'`);

    await execa(join(root, ".ci/run"), [], { env: { PATH: path }, extendEnv: false });

    expect(readFileSync(join(folder, "calls"), "utf8").split("\n")).toEqual([
      "apt-get update -qq CI=true",
      "apt-get install -y -qq tmux procps zsh fish openssh-server CI=true",
      "npm test --silent CI=true",
      "",
    ]);
  },
);
