import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { openPrivateDirectory } from "../src/index.ts";

function directoryWithMode(path: string, mode: number): string {
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

test("a relative path is refused", async () => {
  expect(await openPrivateDirectory("state")).toMatchObject({ code: "not_absolute" });
});

test("a symbolic link is refused, with and without a trailing slash", async () => {
  const root = temporaryDirectory();
  symlinkSync(directoryWithMode(join(root, "real"), 0o700), join(root, "link"));

  expect(await openPrivateDirectory(join(root, "link"))).toMatchObject({ code: "symlink" });
  expect(await openPrivateDirectory(`${join(root, "link")}/`)).toMatchObject({ code: "symlink" });
});

test("a file is refused, as the directory and as its parent", async () => {
  const file = join(temporaryDirectory(), "file");
  writeFileSync(file, "");

  expect(await openPrivateDirectory(file)).toMatchObject({ code: "wrong_type" });
  expect(await openPrivateDirectory(join(file, "state"))).toMatchObject({ code: "wrong_type" });
  expect(await openPrivateDirectory(join(file, "deep", "state"))).toMatchObject({
    code: "wrong_type",
  });
});

test.each([0o701, 0o710, 0o750, 0o755, 0o777, 0o600, 0o500, 0o1700])(
  "an existing directory with mode %o is refused and left as it is",
  async (mode) => {
    const directory = directoryWithMode(join(temporaryDirectory(), "state"), mode);

    expect(await openPrivateDirectory(directory)).toMatchObject({ code: "not_private" });
    expect(statSync(directory).mode & 0o7777).toBe(mode);
  },
);

test("a parent that others can write without the sticky bit is refused", async () => {
  const root = temporaryDirectory();
  for (const mode of [0o777, 0o770, 0o702]) {
    const parent = directoryWithMode(join(root, mode.toString(8)), mode);

    expect(await openPrivateDirectory(join(parent, "s"))).toMatchObject({
      code: "root_not_private",
    });
  }
  const sticky = directoryWithMode(join(root, "sticky"), 0o1777);
  expect(await openPrivateDirectory(join(sticky, "s"))).toEqual({ kind: "ok" });
});

test("a directory of another user is refused, and so is one inside it", async (context) => {
  if (process.getuid?.() !== 0) context.skip("only root can give a directory away");
  const directory = directoryWithMode(join(temporaryDirectory(), "state"), 0o700);
  chownSync(directory, 65_534, 65_534);

  expect(await openPrivateDirectory(directory)).toMatchObject({ code: "not_owned" });
  expect(await openPrivateDirectory(join(directory, "s"))).toMatchObject({
    code: "root_not_private",
  });
});

test("a missing directory is made 0700 with its parents, whatever the umask", async () => {
  const root = temporaryDirectory();
  for (const umask of [0o000, 0o077, 0o277]) {
    const parent = join(root, umask.toString(8));
    if (umask !== 0) mkdirSync(parent, { mode: 0o700 });
    const before = process.umask(umask);
    try {
      const directory = join(parent, "state");

      expect(await openPrivateDirectory(directory)).toEqual({ kind: "ok" });
      expect(statSync(directory).mode & 0o7777).toBe(0o700);
      expect(statSync(parent).mode & 0o7777).toBe(0o700);
    } finally {
      process.umask(before);
    }
  }
});

test("two callers that make the same directory at once both get it", async () => {
  const directory = join(temporaryDirectory(), "state");

  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => openPrivateDirectory(directory)),
  );

  expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(["ok"]));
});
