import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { openSealedStore, type SealedStore } from "../../src/index.ts";
import { openSealedStoreOn } from "../../src/sealed/sealed-store.ts";
import { startFixture } from "../programs.ts";

const canary = "canary-77aa";

function openOn(directory: string, name = "test"): Promise<SealedStore> {
  return openSealedStore({ name, directory, keychain: "off" });
}

/** A store with one entry, closed, and the path of its file. */
async function sealed(): Promise<{ directory: string; file: string }> {
  const directory = join(temporaryDirectory(), "store");
  const store = await openOn(directory);
  await store.set("token", canary);
  store.close();
  return { directory, file: join(directory, "test.sealed") };
}

async function expectRefused(directory: string, code: string): Promise<void> {
  const file = join(directory, "test.sealed");
  const before = readFileSync(file);
  await expect(openOn(directory)).rejects.toMatchObject({ code });
  expect(readFileSync(file)).toEqual(before);
}

proves("AUTH-25", "a file with any byte changed does not open and is left as it is", async () => {
  const { directory, file } = await sealed();
  const whole = readFileSync(file);
  const codes = new Set<string>();

  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (whole[at] ?? 0) ^ (1 << (at % 8));
    writeFileSync(file, changed);
    const refusal = await openOn(directory).then(
      () => `opened with byte ${String(at)} changed`,
      (error: { code: string }) => error.code,
    );
    codes.add(refusal);
    expect(readFileSync(file)).toEqual(changed);
  }

  expect([...codes].sort()).toEqual([
    "key_unavailable",
    "settings_damaged",
    "settings_foreign",
    "settings_too_new",
  ]);
});

proves("AUTH-25", "a file that is cut, foreign or newer has a code of its own", async () => {
  const { directory, file } = await sealed();
  const whole = readFileSync(file, "utf8");

  for (const length of [0, 1, whole.length / 2, whole.length - 1]) {
    writeFileSync(file, whole.slice(0, length));
    await expectRefused(directory, "settings_damaged");
  }
  writeFileSync(file, whole.replace('"format":1', '"format":2'));
  await expectRefused(directory, "settings_too_new");
  const other = await openOn(directory, "other");
  await other.set("a", "b");
  copyFileSync(join(directory, "other.sealed"), file);
  await expectRefused(directory, "settings_foreign");
});

proves("AUTH-25", "a file or directory that others could reach is refused", async () => {
  const { directory, file } = await sealed();
  const aside = join(directory, "aside");

  chmodSync(file, 0o644);
  await expectRefused(directory, "settings_not_private");
  chmodSync(file, 0o600);
  linkSync(file, aside);
  await expectRefused(directory, "settings_not_private");
  rmSync(file);
  symlinkSync(aside, file);
  await expectRefused(directory, "settings_not_private");
  chmodSync(directory, 0o750);
  await expectRefused(directory, "settings_not_private");
});

proves("AUTH-25", "a missing file is an empty store, and asking it writes nothing", async () => {
  const directory = join(temporaryDirectory(), "store");
  const store = await openOn(directory);

  expect(await store.get("token")).toBeUndefined();
  expect(await store.keys()).toEqual([]);
  await store.delete("token");
  expect(readdirSync(directory)).toEqual(["test.sealed.lock"]);
});

proves(
  "AUTH-23",
  "what is stored is sealed, private, and under a new nonce each time",
  async () => {
    const { directory, file } = await sealed();
    const read = () => JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    const first = read();

    const store = await openOn(directory);
    await store.set("other", canary);

    expect(Object.keys(first)).toEqual(["format", "store", "keyId", "key", "nonce", "tag", "data"]);
    expect(read()["nonce"]).not.toBe(first["nonce"]);
    expect(Buffer.from(String(first["nonce"]), "base64")).toHaveLength(12);
    expect(statSync(file).mode & 0o7777).toBe(0o600);
    expect(statSync(directory).mode & 0o7777).toBe(0o700);
    const written = readdirSync(directory).map((name) =>
      readFileSync(join(directory, name), "latin1"),
    );
    expect(written.join("")).not.toContain(canary);
    expect(await (await openOn(directory)).get("token")).toBe(canary);
  },
);

proves("AUTH-23", "a file sealed for another name does not open under this one", async () => {
  const { directory, file } = await sealed();
  copyFileSync(join(directory, "test.key"), join(directory, "twin.key"));
  const text = readFileSync(file, "utf8").replace('"store":"test"', '"store":"twin"');
  writeFileSync(join(directory, "twin.sealed"), text, { mode: 0o600 });

  await expect(openOn(directory, "twin")).rejects.toMatchObject({ code: "settings_damaged" });
});

proves(
  "AUTH-26",
  "two processes that update the same entry lose nothing",
  async () => {
    const directory = join(temporaryDirectory(), "store");

    const ends = [1, 2].map(() => startFixture("seals.mjs", directory, "count", "500").exited);

    expect(await Promise.all(ends)).toEqual([0, 0]);
    expect(await (await openOn(directory)).get("count")).toBe("1000");
  },
  60_000,
);

proves("AUTH-26", "a crash at any step of a write leaves one readable file", async () => {
  for (const step of ["open", "write", "fsync", "rename", "fsync_directory"]) {
    for (const fresh of [true, false]) {
      const directory = fresh ? join(temporaryDirectory(), "store") : (await sealed()).directory;

      expect(await startFixture("seals.mjs", directory, "die", step).exited).toBe(-1);

      const store = await openOn(directory);
      const word = await store.get("word");
      expect([undefined, step === "fsync_directory" ? "after" : undefined]).toContain(word);
      expect(await store.get("token")).toBe(fresh ? undefined : canary);
      await store.set("word", "later");
      const left = readdirSync(directory).filter((name) => name.startsWith("."));
      expect(left).toEqual([]);
    }
  }
});

proves("AUTH-26", "a write that fails leaves the old content and no draft", async () => {
  const { directory } = await sealed();
  const onStep = (step: string): void => {
    if (step === "fsync") throw new Error("disk full");
  };
  const store = await openSealedStoreOn(undefined, { name: "test", directory, onStep });

  await expect(store.set("token", "new")).rejects.toThrow("disk full");

  expect(await store.get("token")).toBe(canary);
  expect(readdirSync(directory).filter((name) => name.startsWith("."))).toEqual([]);
});

test("a value that would make the file unreadably large is refused", async () => {
  const { directory } = await sealed();
  const store = await openOn(directory);

  await expect(store.set("big", "x".repeat(3 * 1024 * 1024))).rejects.toMatchObject({
    code: "settings_too_large",
  });
  expect(await store.get("token")).toBe(canary);
});

test("an unusable name and a place that is no private directory are refused", async () => {
  const parent = temporaryDirectory();
  mkdirSync(join(parent, "open"), { mode: 0o755 });
  chmodSync(join(parent, "open"), 0o755);

  await expect(openOn(parent, "../escape")).rejects.toThrow(RangeError);
  await expect(openOn(join(parent, "open"))).rejects.toMatchObject({
    code: "settings_not_private",
  });
});

test("a closed store answers nothing more", async () => {
  const { directory } = await sealed();
  const store = await openOn(directory);
  store.close();

  await expect(store.get("token")).rejects.toMatchObject({ code: "settings_closed" });
  await expect(store.set("token", "b")).rejects.toMatchObject({ code: "settings_closed" });
});
