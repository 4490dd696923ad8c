import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSealedStore } from "@postern/endpoint-auth";
import { proves, temporaryDirectory } from "@postern/testing";
import { beforeEach, expect, test } from "vitest";
import { session, unwrap } from "../../src/index.ts";
import { settings } from "../../src/settings/index.ts";
import { server, startNode } from "../support.ts";

let directory: string;
const sealedFile = () => join(directory, "mcp-client.sealed");

beforeEach(() => {
  const state = temporaryDirectory();
  process.env["XDG_STATE_HOME"] = state;
  directory = join(state, "postern", "mcp-client");
});

proves(
  "CLNT-85",
  "settings are sealed for the user, and say where their key is and what that protects from",
  async () => {
    unwrap(await settings.save("files", { command: "canary-command", env: { TOKEN: "canary" } }));

    const { kind, protects } = unwrap(await settings.backend());
    expect(["keychain", "key_file"]).toContain(kind);
    expect(protects).toMatch(/^The key is in /);
    for (const name of readdirSync(directory)) {
      expect(readFileSync(join(directory, name), "latin1")).not.toContain("canary");
    }
    expect(unwrap(await settings.load("files"))).toEqual({
      command: "canary-command",
      env: { TOKEN: "canary" },
    });
  },
);

test("entries are listed, replaced, renamed and removed; nothing is made by looking", async () => {
  expect(unwrap(await settings.names())).toEqual([]);
  expect(existsSync(directory)).toBe(false);

  unwrap(await settings.save("b", { timeoutMs: 500, args: [] }));
  unwrap(await settings.save("a", { command: "x" }));
  unwrap(await settings.save("b", { timeoutMs: 600 }));
  expect(unwrap(await settings.names())).toEqual(["a", "b"]);
  expect(unwrap(await settings.load("b"))).toEqual({ timeoutMs: 600 });

  expect((await settings.rename("a", "b")).error?.code).toBe("invalid_arguments");
  expect((await settings.rename("none", "c")).error?.code).toBe("unknown_server");
  expect((await settings.rename("a", "No")).error?.code).toBe("invalid_arguments");
  unwrap(await settings.rename("a", "c"));
  unwrap(await settings.remove("b"));
  expect((await settings.remove("b")).error).toMatchObject({ code: "unknown_server" });
  expect(unwrap(await settings.names())).toEqual(["c"]);
});

proves(
  "CLNT-86",
  "absence is undefined only where it was allowed; what is damaged is an error and stays as it is",
  async () => {
    expect(unwrap(await settings.load("none", true))).toBeUndefined();
    expect((await settings.load("none")).error).toMatchObject({
      code: "unknown_server",
      delivery: "not_sent",
    });
    unwrap(await settings.save("files", { command: "x" }));
    const good = readFileSync(sealedFile());
    const failsWith = async (code: string) => {
      const before = readFileSync(sealedFile());
      const outcomes = [
        await settings.load("none", true),
        await settings.save("a", { command: "y" }),
        await settings.remove("files"),
      ];
      expect(outcomes.map(({ error }) => error?.code)).toEqual([code, code, code]);
      expect(readFileSync(sealedFile())).toEqual(before);
    };

    for (const part of ["data", "tag"]) {
      const sealed = JSON.parse(good.toString());
      const first = sealed[part].startsWith("A") ? "B" : "A";
      writeFileSync(
        sealedFile(),
        `${JSON.stringify({ ...sealed, [part]: first + sealed[part].slice(1) })}\n`,
      );
      await failsWith("settings_corrupt");
    }
    writeFileSync(sealedFile(), good.subarray(0, -9));
    await failsWith("settings_corrupt");
    writeFileSync(sealedFile(), good);
    chmodSync(sealedFile(), 0o644);
    await failsWith("settings_unavailable");
    chmodSync(sealedFile(), 0o600);

    const store = await openSealedStore({ name: "mcp-client", directory });
    for (const entry of [{ command: 5 }, { comand: "x" }, 5]) {
      await store.set("servers", JSON.stringify({ files: entry }));
      await failsWith("settings_corrupt");
    }
    store.close();
  },
);

test("a bad field or name is refused before anything is opened", async () => {
  const bad = (part: object) => settings.save("a", part);

  for (const part of [{ timeoutMs: 5 }, { args: "x" }, { env: { A: 5 } }]) {
    const { error } = await bad(part);
    expect(error).toMatchObject({ code: "invalid_config", delivery: "not_sent" });
  }
  expect((await bad({ tiemoutMs: 500 })).error?.message).toContain('did you mean "timeoutMs"?');
  expect((await settings.save("../a", {})).error?.code).toBe("invalid_arguments");
  expect(existsSync(directory)).toBe(false);
});

proves(
  "CLNT-87",
  "entries are laid over a session's own configuration, up to 256 of them and 1 MiB",
  async () => {
    const env = { FROM_SETTINGS: "sealed", SHARED: "sealed" };
    unwrap(await settings.save("files", { env, timeoutMs: 5_000 }));
    const base = { ...server(), env: { FROM_BASE: "base", SHARED: "base" } };

    const overlaid = session(() => base, "files");
    const untouched = session(base, "absent");
    const results = [await overlaid.callTool("env"), await untouched.callTool("env")];
    await Promise.all([overlaid.close(), untouched.close()]);

    expect(results.map(({ result }) => result)).toMatchObject([
      { structuredContent: { env: { ...env, FROM_BASE: "base" } } },
      { structuredContent: { env: base.env } },
    ]);

    unwrap(await settings.save("files", { command: process.execPath, args: ["--version"] }));
    const store = await openSealedStore({ name: "mcp-client", directory });
    const many = Array.from({ length: 255 }, (_, n) => [`s${String(n)}`, {}]);
    await store.set("servers", JSON.stringify(Object.fromEntries(many)));
    expect((await settings.save("at", {})).error).toBeUndefined();
    expect((await settings.save("over", {})).error?.code).toBe("invalid_config");
    const base64 = (size: number) => ({ env: { A: "a".repeat(size) } });
    const full = Object.fromEntries(
      Array.from({ length: 32 }, (_, n) => [`s${String(n)}`, base64(32_000)]),
    );
    const room = 1024 * 1024 - JSON.stringify(full).length - '"x":{"env":{"A":""}},'.length;
    await store.set("servers", JSON.stringify(full));
    expect((await settings.save("x", base64(room + 1))).error?.code).toBe("invalid_config");
    expect((await settings.save("x", base64(room))).error).toBeUndefined();
    store.close();
  },
);

test("a session whose settings are damaged does not start its server without them", async () => {
  unwrap(await settings.save("files", { timeoutMs: 5_000 }));
  writeFileSync(sealedFile(), "{}");
  const calls = session(server(), "files");

  const { error } = await calls.callTool("echo");

  expect(error).toMatchObject({ code: "settings_corrupt", delivery: "not_sent" });
});

proves(
  "CLNT-88",
  "processes that save at once lose nothing, and a stronger backend is never replaced by a weaker one",
  async () => {
    const program = (word: string) => `
      import { settings } from ${JSON.stringify(join(import.meta.dirname, "../../src/settings/index.ts"))};
      for (let n = 0; n < 8; n += 1) {
        const { error } = await settings.save("${word}" + n, { timeoutMs: 500 + n });
        if (error) throw error;
      }`;
    const folder = temporaryDirectory();
    const runs = ["a", "b", "c"].map((word) => {
      writeFileSync(join(folder, `${word}.mjs`), program(word));
      return startNode([join(folder, `${word}.mjs`)]).ended;
    });

    const ends = await Promise.all(runs);

    expect(ends.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(ends.map(() => [0, ""]));
    expect(unwrap(await settings.names())).toHaveLength(24);

    const sealed = JSON.parse(readFileSync(sealedFile(), "utf8"));
    const remembered = `${JSON.stringify({ ...sealed, key: "keychain", keyId: "another" })}\n`;
    writeFileSync(sealedFile(), remembered);
    const { error } = await settings.save("more", {});
    expect(error).toMatchObject({
      code: "settings_unavailable",
      data: { reason: "key_unavailable" },
    });
    expect(readFileSync(sealedFile(), "utf8")).toBe(remembered);
  },
);
