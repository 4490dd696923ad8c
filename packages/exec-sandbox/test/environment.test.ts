import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { buildEnvironment, CLIENT_ENVIRONMENT, runCommand } from "../src/index.ts";
import { fixtureCommand, searchPath } from "./programs.ts";

const base = { source: {}, inherit: [], searchPath };

test.each([
  ["a name with =", { set: { "A=B": "" } }],
  ["an empty name", { set: { "": "x" } }],
  ["NUL in a value", { set: { A: "a\0b" } }],
  ["half a surrogate pair", { set: { A: "\ud800" } }],
  ["another PATH than the searched one", { set: { PATH: "/elsewhere" } }],
  ["the reserved mark", { set: { POSTERN_RUN: "mine" } }],
])("%s is refused", (_, parts) => {
  expect(() => buildEnvironment({ ...base, ...parts })).toThrowError(
    expect.objectContaining({ code: "invalid_environment" }),
  );
});

proves("EXEC-05", "256 names and 128 KiB are accepted, one more of either is not", () => {
  const names = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`N${String(index)}`, ""]));
  const bytes = (count: number): Record<string, string> => ({ A: "x".repeat(count) });
  // PATH, LANG, TMPDIR and the name A, each with its = and NUL.
  const fixed = Buffer.byteLength(`PATH=${searchPath}0LANG=C.UTF-80TMPDIR=/tmp0A=0`);

  expect(Object.keys(buildEnvironment({ ...base, set: names(253) }))).toHaveLength(256);
  expect(() => buildEnvironment({ ...base, set: names(254) })).toThrowError(/256 names/);
  expect(buildEnvironment({ ...base, set: bytes(131_072 - fixed) })["A"]).toBeDefined();
  expect(() => buildEnvironment({ ...base, set: bytes(131_073 - fixed) })).toThrowError(/bytes/);
});

proves(
  "EXEC-05",
  "a child sees PATH, LANG, TMPDIR, the mark and what was asked for, nothing else",
  async () => {
    const source = { HOME: "/home/a", SECRET: "s", LD_PRELOAD: "x", TMPDIR: "/var/tmp" };
    const env = buildEnvironment({ ...base, source, inherit: ["HOME", "ABSENT"], set: { A: "1" } });

    const outcome = await runCommand({ ...(await fixtureCommand("prints-env")), env });

    const seen: unknown = outcome.kind === "exited" && JSON.parse(outcome.stdout.head);
    expect(seen).toEqual({
      PATH: searchPath,
      LANG: "C.UTF-8",
      TMPDIR: "/var/tmp",
      HOME: "/home/a",
      A: "1",
      POSTERN_RUN: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  },
);

proves("EXEC-05", "what a client's servers inherit is a pinned list of names", () => {
  expect(CLIENT_ENVIRONMENT).toEqual(["HOME", "USER", "LOGNAME", "SHELL", "TERM"]);
});

test("literal values win over inherited ones, and PATH is the searched one", () => {
  const source = { TERM: "a", LANG: "de", PATH: "/evil" };

  const env = buildEnvironment({
    source,
    inherit: ["TERM", "LANG", "PATH"],
    set: { TERM: "b" },
    searchPath,
    tempDirectory: "/t",
  });

  expect(env).toEqual({ TERM: "b", LANG: "de", TMPDIR: "/t", PATH: searchPath });
});

test("a run inside a run carries both marks, so that the outer proof finds it", async () => {
  const env = buildEnvironment({ ...base, source: { POSTERN_RUN: "outer" } });

  const outcome = await runCommand({ ...(await fixtureCommand("prints-env")), env });

  expect(outcome.kind === "exited" && outcome.stdout.head).toMatch(
    /"POSTERN_RUN":"outer\.[0-9a-f]{32}"/,
  );
});
