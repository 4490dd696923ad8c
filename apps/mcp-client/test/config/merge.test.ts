import { assert, constantFrom, dictionary, option, property, record } from "fast-check";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { mergeConfig } from "../../src/config/merge.ts";

proves("CLNT-24", "an override replaces fields and merges variables and headers by name", () => {
  const base = {
    command: "a",
    args: ["1"],
    env: { A: "1", B: "2" },
    envFrom: { T: { env: "X" } },
    inheritEnv: ["P"],
  };
  const override = { args: ["2"], env: { B: "3" }, inheritEnv: ["P", "Q"], timeoutMs: 5_000 };
  const remote = {
    url: "https://h/a",
    headers: { "X-A": "1", "X-B": "2" },
    headersFrom: { "X-C": { env: "C" } },
    authToken: "old",
  };
  const other = {
    url: "https://h/b",
    headers: { "x-b": "3" },
    headersFrom: { "x-a": { env: "A" } },
    authTokenFrom: { env: "T" },
  };

  expect(mergeConfig(base, override)).toEqual({
    command: "a",
    args: ["2"],
    env: { A: "1", B: "3" },
    envFrom: { T: { env: "X" } },
    inheritEnv: ["P", "Q"],
    timeoutMs: 5_000,
  });
  expect(mergeConfig(remote, other)).toEqual({
    url: "https://h/b",
    headers: { "x-b": "3" },
    headersFrom: { "X-C": { env: "C" }, "x-a": { env: "A" } },
    authTokenFrom: { env: "T" },
  });
});

test("another command gets none of the variables meant for the first", () => {
  const base = { command: "a", env: { A: "1" }, envFrom: { T: { env: "X" } }, inheritEnv: ["P"] };

  expect(mergeConfig(base, { command: "b", env: { C: "1" } })).toEqual({
    command: "b",
    env: { C: "1" },
  });
  expect(mergeConfig(base, { command: "a" })).toEqual(base);
});

test("another proxy gets none of the credentials of the first", () => {
  const base = { url: "https://h/", proxy: "http://p", proxyFrom: { env: "P" } };

  expect(mergeConfig(base, { proxy: "http://q" })).toEqual({
    url: "https://h/",
    proxy: "http://q",
  });
  expect(mergeConfig(base, { proxy: "http://p" })).toEqual(base);
});

proves(["CLNT-25", "CLNT-163"], "no secret of one target reaches another", () => {
  const named = dictionary(constantFrom("A", "X-Key", "Authorization"), constantFrom("canary"));
  const from = dictionary(constantFrom("B", "X-Other"), record({ env: constantFrom("canary") }));
  const secrets = {
    env: option(named, { nil: undefined }),
    envFrom: option(from, { nil: undefined }),
    inheritEnv: constantFrom(["canary"], undefined),
    headers: option(named, { nil: undefined }),
    headersFrom: option(from, { nil: undefined }),
    authToken: constantFrom("canary", undefined),
    authTokenFrom: constantFrom({ env: "canary" }, undefined),
    oauth: constantFrom({ storeName: "canary" }, undefined),
  };
  const targets = [
    { url: "https://h/a" },
    { url: "https://h:444/a" },
    { url: "http://h/a" },
    { url: "https://h.evil/a" },
    { url: "no URL" },
    { command: "a" },
    { command: "b" },
  ];
  assert(
    property(
      record(secrets),
      constantFrom(...targets),
      constantFrom(...targets),
      (own, base, next) => {
        const merged = mergeConfig({ ...own, ...base }, { ...next, headers: { "x-new": "1" } });
        const stays = base === next && base.url !== "no URL";
        expect(stays || !JSON.stringify(merged).includes("canary")).toBe(true);
      },
    ),
  );
  expect(mergeConfig({ url: "https://h/a", authToken: "t" }, { url: "https://h:443/b" })).toEqual({
    url: "https://h/b".replace("h/", "h:443/"),
    authToken: "t",
  });
});
