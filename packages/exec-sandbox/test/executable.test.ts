import { proves, temporaryDirectory } from "@postern/testing";
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveExecutable, type ExecutableResult } from "../src/index.ts";
import { programKind } from "../src/executable-kind.ts";
import { searchPath } from "./programs.ts";

const refused = (code: string): object => ({ kind: "refused", code });
const find = async (name: string, path = searchPath): Promise<ExecutableResult> =>
  await resolveExecutable(name, { searchPath: path });

/** A folder with a script of the given name and mode. */
function folderWith(name: string, mode = 0o755, text = "#!/bin/sh\n"): string {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), mode);
  return folder;
}

proves("EXEC-02", "a name with a separator must be absolute, however it is spelt", async () => {
  for (const name of ["./true", "../bin/true", "bin/true", "bin//true", "true/."]) {
    expect(await find(name)).toEqual(refused("relative_path"));
  }
});

proves(
  "EXEC-02",
  "every part of the search path must be absolute, also behind the hit",
  async () => {
    for (const path of ["", ".", "/usr/bin:", ":/usr/bin", "/usr/bin:bin", "/usr/bin::/bin"]) {
      expect(await find("true", path)).toEqual(refused("unsafe_search_path"));
    }
  },
);

proves("EXEC-02", "a batch file is refused, however it is found", async () => {
  const folder = folderWith("run.BAT");
  symlinkSync(join(folder, "run.BAT"), join(folder, "linked"));
  folderWith("x");

  expect(await find("run.BAT", folder)).toEqual(refused("batch_file"));
  expect(await find(join(folder, "run.BAT"))).toEqual(refused("batch_file"));
  expect(await find("linked", folder)).toEqual(refused("batch_file"));
});

proves(
  "EXEC-02",
  "a missing file, a directory and a file without the bit have codes of their own",
  async () => {
    const folder = folderWith("plain", 0o644);
    mkdirSync(join(folder, "sub"));

    expect(await find("no-such-program")).toEqual(refused("not_found"));
    expect(await find("/no/such/program")).toEqual(refused("not_found"));
    expect(await find("")).toEqual(refused("not_found"));
    expect(await find("sub", folder)).toEqual(refused("not_a_file"));
    expect(await find("..", folder)).toEqual(refused("not_a_file"));
    expect(await find("plain", folder)).toEqual(refused("not_executable"));
  },
);

proves(
  "EXEC-02",
  "the answer is the real file, found in the order of the search path",
  async () => {
    const [first, second] = [folderWith("tool", 0o644), folderWith("tool")];
    symlinkSync(join(second, "tool"), join(second, "alias"));

    const behind = await find("tool", `${first}:${second}`);
    const linked = await find(join(second, "alias"));

    const real = {
      path: realpathSync(join(second, "tool")),
      format: "script",
      interpreter: "/bin/sh",
    };
    expect(behind).toMatchObject({ kind: "resolved", executable: { ...real, program: "other" } });
    expect(linked).toMatchObject({ kind: "resolved", executable: real });
  },
);

test("bytes that no kernel runs are not executable, so that no shell is handed them", async () => {
  const folder = folderWith("text", 0o755, "echo hi\n");

  expect(await find("text", folder)).toEqual(refused("not_executable"));
});

test("a file or a folder that everybody can write is refused, a sticky folder is not", async () => {
  const folder = folderWith("tool");
  const open = folderWith("open", 0o777);

  expect(await find("open", open)).toEqual(refused("writable_by_others"));
  chmodSync(folder, 0o777);
  expect(await find("tool", folder)).toEqual(refused("writable_by_others"));
  chmodSync(folder, 0o1777);
  expect(await find("tool", folder)).toMatchObject({ kind: "resolved" });
});

test("a difference from what was expected is named", async () => {
  const expected = { searchPath, expect: { ino: 1n } };

  expect(await resolveExecutable("true", expected)).toEqual(refused("identity_changed"));
});

test("pinning by content gives the hash", async () => {
  const folder = folderWith("tool", 0o755, "#!/bin/sh\n");

  const found = await resolveExecutable("tool", { searchPath: folder, pin: "sha256" });

  expect(found).toMatchObject({
    executable: { sha256: "a8076d3d28d21e02012b20eaf7dbf75409a6277134439025f282e368e3305abf" },
  });
});

proves("EXEC-03", "programs are judged by name, whatever their version", () => {
  const kinds = [
    "bash",
    "dash",
    "busybox",
    "pwsh",
    "cmd.exe",
    "ksh93",
    "sudo",
    "npx",
    "python3.11",
    "node",
    "lua5.4",
    "git",
    "tmux",
  ].map(programKind);

  expect(kinds).toEqual([
    ...Array<string>(6).fill("shell"),
    ...Array<string>(2).fill("wrapper"),
    ...Array<string>(3).fill("interpreter"),
    ...Array<string>(2).fill("other"),
  ]);
});

proves("EXEC-03", "the resolved file is judged, not the name that led to it", async () => {
  const folder = temporaryDirectory();
  symlinkSync("/bin/bash", join(folder, "harmless"));

  expect(await find("harmless", folder)).toMatchObject({ executable: { program: "shell" } });
});
