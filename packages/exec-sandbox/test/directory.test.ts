import { proves, temporaryDirectory } from "@postern/testing";
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDirectory, runCommand } from "../src/index.ts";
import { opened, systemCommand } from "./programs.ts";

const refused = (code: string): object => ({ kind: "refused", code });

proves("EXEC-08", "every cause of a refused directory has its own code", async () => {
  const root = temporaryDirectory();
  writeFileSync(join(root, "file"), "");
  execFileSync("mkfifo", [join(root, "fifo")]);

  expect(await openDirectory("relative")).toEqual(refused("not_absolute"));
  expect(await openDirectory("")).toEqual(refused("not_absolute"));
  expect(await openDirectory(`${root}\0`)).toEqual(refused("not_absolute"));
  expect(await openDirectory(join(root, "none"))).toEqual(refused("not_found"));
  expect(await openDirectory(join(root, "file"))).toEqual(refused("not_a_directory"));
  expect(await openDirectory(join(root, "file", "below"))).toEqual(refused("not_a_directory"));
  expect(await openDirectory(join(root, "fifo"))).toEqual(refused("not_a_directory"));
});

proves("EXEC-06", "containment compares resolved path segments", async () => {
  const root = temporaryDirectory();
  for (const name of ["a", "ab", "a/sub", "..a"]) mkdirSync(join(root, name));
  symlinkSync(join(root, "ab"), join(root, "a", "out"));
  symlinkSync(join(root, "a"), join(root, "in"));
  const open = async (path: string, within: readonly string[]): Promise<unknown> => {
    const result = await openDirectory(path, { within });
    if (result.kind === "opened") await result.directory.close();
    return result.kind === "opened" ? result.directory.path : result.code;
  };

  expect(await open(join(root, "ab"), [join(root, "a")])).toBe("outside_allowed");
  expect(await open(`${root}/a/..`, [join(root, "a")])).toBe("outside_allowed");
  expect(await open(join(root, "a", "out"), [join(root, "a")])).toBe("outside_allowed");
  expect(await open(join(root, "A"), [join(root, "a")])).toBe("not_found");
  expect(await open(join(root, "a"), [])).toBe("outside_allowed");
  expect(await open(`${root}//a/./sub/`, [join(root, "in")])).toBe(join(root, "a", "sub"));
  expect(await open(join(root, "..a"), [root])).toBe(join(root, "..a"));
});

proves(
  "EXEC-07",
  "on Linux the child starts in the directory that was opened, whatever took its place",
  async () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, "d"));
    const directory = await opened(join(root, "d"));
    renameSync(join(root, "d"), join(root, "moved"));
    symlinkSync("/", join(root, "d"));

    const outcome = await runCommand({ ...(await systemCommand("pwd", ["-P"])), directory });

    expect(outcome.kind === "exited" && outcome.stdout.head).toBe(`${join(root, "moved")}\n`);
    rmSync(join(root, "d"));
  },
);

test("letting go twice is letting go once", async () => {
  const result = await openDirectory("/tmp");
  if (result.kind === "refused") throw new Error(result.code);

  await result.directory.close();

  await expect(result.directory.close()).resolves.toBeUndefined();
});
