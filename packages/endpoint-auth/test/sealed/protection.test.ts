import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { openSealedStore } from "../../src/index.ts";
import { keepsSecrets, type Keychain } from "../../src/sealed/keychain.ts";
import { openSealedStoreOn } from "../../src/sealed/sealed-store.ts";
import { keychain } from "./keychains.ts";

function openOn(chain: Keychain | undefined, directory: string, keyFile?: "allow" | "refuse") {
  return openSealedStoreOn(chain, { name: "test", directory, ...(keyFile && { keyFile }) });
}

proves("AUTH-24", "a store made on a keychain is never opened on less", async () => {
  const directory = join(temporaryDirectory(), "store");
  const chain = keychain();
  const store = await openOn(chain, directory);
  expect(store.protection).toBe("keychain");
  await store.set("token", "a");
  const file = join(directory, "test.sealed");
  const before = readFileSync(file);

  const locked = keychain({ get: () => Promise.reject(new Error("locked")) });
  for (const lesser of [undefined, keychain(), locked]) {
    await expect(openOn(lesser, directory)).rejects.toMatchObject({ code: "key_unavailable" });
  }

  expect(readFileSync(file)).toEqual(before);
  expect(await (await openOn(chain, directory)).get("token")).toBe("a");
});

proves(
  "AUTH-24",
  "a keychain that fails its probe is not used: a key file is, else memory",
  async () => {
    const failing: readonly Partial<Keychain>[] = [
      { set: () => Promise.reject(new Error("denied")) },
      { get: async () => undefined },
      { get: async () => "something else" },
      { delete: async () => undefined },
    ];
    for (const faults of failing) {
      const directory = join(temporaryDirectory(), "store");

      const store = await openOn(keychain(faults), directory);

      expect(store.protection).toBe("key_file");
      const memory = await openOn(keychain(faults), directory, "refuse");
      expect(memory.protection).toBe("memory");
      await memory.set("token", "a");
      expect(await memory.get("token")).toBe("a");
      expect(await store.get("token")).toBeUndefined();
    }
  },
);

proves("AUTH-24", "a keychain that never answers is given up", async () => {
  expect(await keepsSecrets(keychain({ get: () => new Promise(() => undefined) }))).toBe(false);
});

proves(
  "AUTH-24",
  "the probe leaves nothing in the keychain, and the key is only there",
  async () => {
    const directory = join(temporaryDirectory(), "store");
    const chain = keychain();

    const store = await openOn(chain, directory);
    expect(chain.entries.size).toBe(0);
    await store.set("token", "a");

    const [key = ""] = [...chain.entries.values()];
    expect(chain.entries.size).toBe(1);
    expect(readFileSync(join(directory, "test.sealed"), "utf8")).not.toContain(key.split(" ")[1]);
  },
);

proves(
  "AUTH-24",
  "a lost or forbidden key file is key_unavailable, a broken one is named",
  async () => {
    const directory = join(temporaryDirectory(), "store");
    await (await openOn(undefined, directory)).set("token", "a");

    await expect(openOn(undefined, directory, "refuse")).rejects.toMatchObject({
      code: "key_unavailable",
    });
    rmSync(join(directory, "test.key"));
    await expect(openOn(keychain(), directory)).rejects.toMatchObject({ code: "key_unavailable" });
  },
);

test("without a session bus the store is made on a key file and says so", async (context) => {
  if (process.platform !== "linux") context.skip("only Linux can be without a keychain");
  const before = process.env["DBUS_SESSION_BUS_ADDRESS"];
  process.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent";
  try {
    const directory = join(temporaryDirectory(), "store");
    const store = await openSealedStore({ name: "test", directory });
    await store.set("token", "a");

    expect(store.protection).toBe("key_file");
    expect(await store.get("token")).toBe("a");
  } finally {
    if (before === undefined) delete process.env["DBUS_SESSION_BUS_ADDRESS"];
    else process.env["DBUS_SESSION_BUS_ADDRESS"] = before;
  }
});
