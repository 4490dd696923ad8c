import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { configJsonSchema, configSchema, exampleConfig } from "../src/config.ts";
import { loadConfig } from "../src/config-file.ts";

const create = { ifMissing: "create" } as const;

function fileWith(text: string | Uint8Array, mode = 0o600): string {
  const path = join(temporaryDirectory(), "config.json");
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
  return path;
}

async function problemsOf(path: string): Promise<string> {
  const loaded = await loadConfig(path, create);
  return loaded.kind === "refused" ? loaded.problems.join("\n").replaceAll(path, "F") : "";
}

proves(
  "TMUX-02",
  "without a file the default one is created, private, whole and for whoever is first",
  async () => {
    const directory = join(temporaryDirectory(), "home/.config/mcp-tmux");
    const path = join(directory, "config.json");
    const loads = await Promise.all(Array.from({ length: 8 }, () => loadConfig(path, create)));

    expect(loads).toEqual(loads.map(() => ({ kind: "loaded", config: configSchema.parse({}) })));
    expect(JSON.parse(readFileSync(path, "utf8"))).toStrictEqual({
      version: "1.0.0",
      write_enabled: false,
      allowed_sessions: [],
      buffer_size: 1_000,
      auth_token: null,
    });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(["config.json"]);
  },
);

proves(
  "TMUX-02",
  "where nothing can be created the defaults hold for the run, with one warning",
  async () => {
    const file = fileWith("{}");
    const loaded = await loadConfig(join(file, "mcp-tmux/config.json"), create);

    expect(loaded).toMatchObject({ kind: "loaded", config: { write_enabled: false } });
    expect(loaded).toHaveProperty("warning", expect.stringContaining("ENOTDIR"));
  },
);

proves(
  "TMUX-03",
  "a broken file names place, key and what to do, and is never taken for the defaults",
  async () => {
    const rows: [text: string | Uint8Array, problem: RegExp][] = [
      ['{\n  "write_enabeld": true\n}', /^F:2:3: write_enabeld: .*"write_enabled"/],
      ['{"buffer_size": 9}', /^F:1:17: buffer_size: .*10/],
      ['{"buffer_size": 50001}', /buffer_size: .*50000/],
      ['{"write_enabled": "yes"}', /write_enabled: .*boolean.*string/],
      ['{"version": "2.0.0"}', /version: .*1\.0\.0/],
      ['{"write_enabled": true, "write_enabled": false}', /write_enabled/],
      ["\ufeff{}", /F:1:1/],
      ["{} {}", /F:1:4/],
      ["", /F:1:1/],
      ["[]", /F:1:1/],
      ['{"allowed_sessions": ["a", "a"]}', /allowed_sessions: a name stands twice/],
      ['{"auth_token": "fifteen-letters"}', /auth_token: .*16/],
      ['{"allowed_commands": ["a\\nb"]}', /allowed_commands\.0: more than one line/],
      [
        `{"allowed_commands": ["${"é".repeat(2_049)}"]}`,
        /allowed_commands\.0: longer than 4096 bytes/,
      ],
      ['{"socket_path": "/tmp/s", "socket_name": "n"}', /socket_name: .*exclude/],
      ['{"socket_path": "relative"}', /socket_path: not an absolute path/],
      ['{"tmux_path": "./tmux"}', /tmux_path: a relative path/],
      ['{"tmux_timeout_ms": 499}', /tmux_timeout_ms: .*500/],
      [`{"$schema": "${" ".repeat(1024 * 1024)}"}`, /F/],
    ];
    for (const [text, problem] of rows) expect(await problemsOf(fileWith(text))).toMatch(problem);
  },
);

test("one under, at and one over every bound of numbers and lists", () => {
  const accepts = (value: object): boolean => configSchema.safeParse(value).success;

  expect([9, 10, 50_000, 50_001].map((buffer_size) => accepts({ buffer_size }))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect([499, 500, 30_000, 30_001].map((tmux_timeout_ms) => accepts({ tmux_timeout_ms }))).toEqual(
    [false, true, true, false],
  );
  expect([15, 16, 512, 513].map((length) => accepts({ auth_token: "t".repeat(length) }))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  const names = (length: number): string[] =>
    Array.from({ length }, (_none, index) => String(index));
  expect([256, 257].map((length) => accepts({ allowed_sessions: names(length) }))).toEqual([
    true,
    false,
  ]);
  expect([1_000, 1_001].map((length) => accepts({ allowed_commands: names(length) }))).toEqual([
    true,
    false,
  ]);
  expect(
    [100, 101].map((length) => accepts({ socket_path: `/${"s".repeat(length - 1)}` })),
  ).toEqual([true, false]);
});

proves(
  "TMUX-04",
  "a file that others could write, or read while it holds a token, is refused with the chmod",
  async () => {
    const token = '{"auth_token": "0123456789abcdef"}';

    expect(await problemsOf(fileWith("{}", 0o644))).toBe("");
    expect(await problemsOf(fileWith(token, 0o600))).toBe("");
    for (const mode of [0o620, 0o602, 0o666])
      expect(await problemsOf(fileWith("{}", mode))).toMatch(/chmod/);
    for (const mode of [0o640, 0o604])
      expect(await problemsOf(fileWith(token, mode))).toMatch(/chmod/);
  },
);

test("a link to a file of the user is followed, a directory or nothing at all is refused", async () => {
  const target = fileWith('{"buffer_size": 77}');
  const link = join(temporaryDirectory(), "config.json");
  symlinkSync(target, link);
  const directory = join(temporaryDirectory(), "config.json");
  mkdirSync(directory);

  expect(await loadConfig(link, create)).toMatchObject({ config: { buffer_size: 77 } });
  expect(await problemsOf(directory)).not.toBe("");
  expect(await loadConfig("/nowhere/x.json", { ifMissing: "refuse" })).toEqual({
    kind: "refused",
    problems: ["/nowhere/x.json: no such file."],
  });
});

proves(
  "TMUX-06",
  "the JSON Schema and the example are what the schema in the code says",
  async () => {
    // Short lists stand on one line, as the formatter wants them.
    const written = (value: object): string =>
      `${JSON.stringify(value, null, 2)}\n`.replaceAll(
        /\[\n\s+([^\][{}]*?)\n\s+\]/g,
        (_list, items: string) => `[${items.replaceAll(/\n\s+/g, " ")}]`,
      );

    await expect(written(configJsonSchema())).toMatchFileSnapshot("../schema/config.schema.json");
    await expect(written(exampleConfig)).toMatchFileSnapshot("../schema/example_config.json");
  },
);
