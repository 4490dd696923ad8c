import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool, type SecretSource } from "../../src/index.ts";
import { processesWith, server } from "../support.ts";

const callWith = (source: SecretSource, ...flags: string[]) =>
  callTool({ ...server(...flags), envFrom: { TOKEN: source } }, "env");

test("secrets come from a variable or a private file, and reach the child's environment only", async () => {
  const file = join(temporaryDirectory(), "token");
  writeFileSync(file, "canary-file\n", { mode: 0o600 });
  process.env["CANARY"] = "canary-variable";

  const fromFile = await callWith({ file });
  const fromVariable = await callWith({ env: "CANARY" });

  expect(fromFile.result).toMatchObject({ structuredContent: { env: { TOKEN: "canary-file" } } });
  expect(fromVariable.result).toMatchObject({
    structuredContent: { env: { TOKEN: "canary-variable" } },
  });
});

test("a missing, empty or open source is named, its value never, and nothing starts", async () => {
  const folder = temporaryDirectory();
  const file = (name: string, content: string, mode: number) => {
    writeFileSync(join(folder, name), content);
    chmodSync(join(folder, name), mode);
    return join(folder, name);
  };
  mkdirSync(join(folder, "folder"));
  process.env["EMPTY"] = "";
  const sources: [SecretSource, string][] = [
    [{ env: "NOT_SET" }, "NOT_SET is not set"],
    [{ env: "EMPTY" }, "EMPTY is empty"],
    [{ file: join(folder, "none") }, "ENOENT"],
    [{ file: join(folder, "folder") }, "is not a file"],
    [{ file: file("open", "canary", 0o640) }, "chmod 600"],
    [{ file: file("empty", "\n", 0o600) }, "is empty"],
    [{ file: file("nul", "can\0ary", 0o600) }, "NUL"],
    [{ file: file("large", "c".repeat(64 * 1024 + 1), 0o600) }, "64 KiB"],
  ];

  for (const [source, words] of sources) {
    const { error, detail } = await callWith(source, `--word=${folder}`);
    expect(error).toMatchObject({ code: "secret_unavailable", delivery: "not_sent" });
    expect(error?.message).toContain(words);
    expect(error?.message).not.toContain("canary");
    expect(detail.phase).toBe("secrets");
  }
  expect(processesWith(folder)).toEqual([]);
});

test("exactly one newline is cut from a secret file", async () => {
  const file = join(temporaryDirectory(), "token");
  writeFileSync(file, "two\n\n", { mode: 0o600 });

  const { result } = await callWith({ file });

  expect(result).toMatchObject({ structuredContent: { env: { TOKEN: "two\n" } } });
});
