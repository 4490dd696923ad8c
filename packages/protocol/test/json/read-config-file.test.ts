import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type FilePrivacy, readConfigFile, type StandardSchema } from "../../src/json/index.ts";

const schema = z.strictObject({
  version: z.literal("1.0.0").default("1.0.0"),
  write_enabled: z.boolean().default(false),
  http: z.strictObject({ port: z.int().min(1).max(65_535) }).optional(),
  projects: z.array(z.strictObject({ name: z.string().max(8) })).default([]),
});
const knownKeys = ["version", "write_enabled", "http", "projects", "http.port", "projects.*.name"];

function configFile(content: string | Uint8Array, mode = 0o600): string {
  const path = join(temporaryDirectory(), "config.json");
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function read(path: string, privacy: FilePrivacy = "private") {
  return readConfigFile(path, { schema, knownKeys, privacy });
}

describe("modes", () => {
  test.each<[number, FilePrivacy, string]>([
    [0o600, "private", "ok"],
    [0o400, "private", "ok"],
    [0o640, "private", "file_not_private"],
    [0o601, "private", "file_not_private"],
    [0o644, "not_writable", "ok"],
    [0o664, "not_writable", "file_not_private"],
    [0o602, "not_writable", "file_not_private"],
  ])("mode %o under %s is %s", async (mode, privacy, expected) => {
    const result = await read(configFile("{}", mode), privacy);

    expect(result.ok ? "ok" : result.problems[0]?.code).toBe(expected);
  });
});

proves("PROTO-11", "a file that others can read names the command that closes it", async () => {
  const path = configFile("{}", 0o644);

  const result = await read(path);

  const message = `Other users may use this file (mode 0644). Run: chmod 600 '${path}'`;
  const problem = { code: "file_not_private", line: 1, column: 1, key: "", message };
  expect(result).toEqual({ ok: false, problems: [problem] });
});

proves("PROTO-11", "a link to another user's file is refused", async (context) => {
  if (process.getuid?.() !== 0) context.skip("Giving a file away needs root.");
  const foreign = configFile("{}");
  chownSync(foreign, 65_534, 65_534);
  const link = join(temporaryDirectory(), "config.json");
  symlinkSync(foreign, link);

  const result = await read(link);

  expect(result).toMatchObject({ ok: false, problems: [{ code: "file_not_owned" }] });
});

test("a link to a file of one's own is followed", async () => {
  const link = join(temporaryDirectory(), "config.json");
  symlinkSync(configFile("{}"), link);

  expect(await read(link)).toMatchObject({ ok: true });
});

proves(
  "PROTO-11",
  "a missing file, a directory and a FIFO are told apart and never waited for",
  async () => {
    const directory = temporaryDirectory();
    const fifo = join(directory, "fifo");
    execFileSync("mkfifo", [fifo]);
    mkdirSync(join(directory, "folder"), 0o700);

    const codes = [];
    for (const name of ["absent", "folder", "fifo"]) {
      const result = await read(join(directory, name));
      codes.push(result.ok ? "ok" : result.problems[0]?.code);
    }

    expect(codes).toEqual(["file_missing", "file_not_regular", "file_not_regular"]);
  },
);

proves("PROTO-11", "one MiB is read, one byte more is refused", async () => {
  const text = (bytes: number) => `{${" ".repeat(bytes - 2)}}`;

  const atCap = await read(configFile(text(1024 * 1024)));
  const overCap = await read(configFile(text(1024 * 1024 + 1)));

  expect(atCap.ok).toBe(true);
  expect(overCap).toMatchObject({ ok: false, problems: [{ code: "file_too_large" }] });
});

describe("broken JSON", () => {
  const cases: readonly [string, string, object][] = [
    ["a byte order mark", "\ufeff{}", { code: "not_json", line: 1, column: 1 }],
    ["data after the value", '{\n}\n{"a":1}', { code: "not_json", line: 3, column: 1 }],
    ["a comment", '{\n  // hi\n  "version": "1.0.0"\n}', { code: "not_json", line: 2, column: 3 }],
    [
      "a repeated key",
      '{\n  "write_enabled": true,\n  "write_enabled": false\n}',
      { code: "duplicate_key", line: 3, column: 3, key: "write_enabled" },
    ],
    [
      "a repeated nested key",
      '{"projects": [{"name": "a", "name": "b"}]}',
      { code: "duplicate_key", line: 1, column: 29, key: "projects.0.name" },
    ],
    ["an empty file", "", { code: "not_json", line: 1, column: 1, key: "" }],
  ];

  for (const [name, content, problem] of cases) {
    proves("PROTO-11", `${name} is an error with its place, never defaults`, async () => {
      const result = await read(configFile(content));

      expect(result).toMatchObject({ ok: false, problems: [problem] });
    });
  }
});

proves("PROTO-11", "every problem names line, column, key and the nearest known key", async () => {
  const path = configFile(
    `{
  "wriet_enabled": true,
  "zzzzzzzzzz": 1,
  "version": "2.0.0",
  "http": { "prot": 80, "nmae": 1 },
  "projects": [{ "name": "fine" }, { "nmae": "x", "name": "a name too long" }]
}`,
  );

  const result = await read(path);

  const problems = result.ok ? [] : result.problems.map((problem) => ({ ...problem, message: "" }));
  expect(
    problems.toSorted((one, other) => one.line - other.line || one.column - other.column),
  ).toEqual([
    {
      code: "unknown_key",
      line: 2,
      column: 3,
      key: "wriet_enabled",
      nearestKey: "write_enabled",
      message: "",
    },
    { code: "unknown_key", line: 3, column: 3, key: "zzzzzzzzzz", message: "" },
    { code: "invalid_value", line: 4, column: 14, key: "version", message: "" },
    { code: "invalid_value", line: 5, column: 11, key: "http.port", message: "" },
    { code: "unknown_key", line: 5, column: 13, key: "http.prot", nearestKey: "port", message: "" },
    { code: "unknown_key", line: 5, column: 25, key: "http.nmae", message: "" },
    {
      code: "unknown_key",
      line: 6,
      column: 38,
      key: "projects.1.nmae",
      nearestKey: "name",
      message: "",
    },
    { code: "invalid_value", line: 6, column: 59, key: "projects.1.name", message: "" },
  ]);
});

proves("PROTO-11", "values of the file never stand in a problem", async () => {
  const path = configFile(
    '{"version": "s3cret-one", "projects": [{"name": "s3cret-two-too-long"}]}',
  );

  const result = await read(path);

  expect(result.ok).toBe(false);
  expect(JSON.stringify(result)).not.toContain("s3cret");
});

test("a good file comes back with the schema's defaults", async () => {
  const result = await read(configFile('{"http": {"port": 8080}}'));

  expect(result).toEqual({
    ok: true,
    value: { version: "1.0.0", write_enabled: false, http: { port: 8080 }, projects: [] },
  });
});

test("unknown keys are recognised in the way valibot reports them, too", async () => {
  const valibotIssues = [
    { expected: "never", path: [{ key: "http" }, { key: "prot" }] },
    { expected: '"port"', path: [{ key: "http" }, { key: "port" }] },
  ].map((issue) => ({ type: "strict_object", message: "Invalid key.", ...issue }));
  const valibotLike: StandardSchema<never> = {
    "~standard": { version: 1, vendor: "valibot", validate: () => ({ issues: valibotIssues }) },
  };
  const path = configFile('{"http":{"prot":1}}');

  const result = await readConfigFile(path, { schema: valibotLike, knownKeys, privacy: "private" });

  expect(result).toMatchObject({
    problems: [
      { code: "unknown_key", column: 10, key: "http.prot", nearestKey: "port" },
      { code: "invalid_value", column: 9, key: "http.port" },
    ],
  });
});
