import { spawnSync } from "node:child_process";
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
import { DatabaseSync } from "node:sqlite";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { isNetworkFileSystem } from "../src/sqlite/private-file.ts";
import { planned } from "./comparison.ts";
import { writerCommand } from "./rig.ts";
import { callOf, counted, receiptsOn } from "./suite/kit.ts";

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** A closed store with a few receipts in it. */
async function filledStore(file: string): Promise<void> {
  const store = await openSqliteStore({ file });
  const receipts = receiptsOn(store);
  for (let index = 0; index < 20; index += 1) await receipts.runOnce(callOf(), counted().effect);
  await store.close();
}

proves("RCPT-13", "a file, directory or link that is not private is refused as it is", async () => {
  const directory = temporaryDirectory();
  const at = (name: string): string => join(directory, name);
  mkdirSync(at("open"), { mode: 0o755 });
  chmodSync(at("open"), 0o755);
  writeFileSync(at("readable.db"), "");
  chmodSync(at("readable.db"), 0o644);
  symlinkSync(at("elsewhere.db"), at("link.db"));
  mkdirSync(at("folder.db"), { mode: 0o700 });

  for (const file of ["open/receipts.db", "readable.db", "link.db", "folder.db"]) {
    await expect(openSqliteStore({ file: at(file) })).rejects.toMatchObject({
      code: "store_not_private",
    });
  }
  expect(readdirSync(at("open"))).toEqual([]);
  expect(modeOf(at("readable.db"))).toBe("644");
});

proves("RCPT-13", "whatever the umask, the files are 0600 and the directories 0700", async () => {
  const directory = join(temporaryDirectory(), "deep", "state");
  const umask = process.umask(0);
  try {
    const store = await openSqliteStore({ file: join(directory, "receipts.db") });
    await receiptsOn(store).runOnce(callOf(), counted().effect);
    const modes = readdirSync(directory).map((name) => `${name} ${modeOf(join(directory, name))}`);
    const lock = modeOf(join(directory, "owners", `${store.owner}.lock`));
    await store.close();

    expect(modeOf(directory)).toBe("700");
    expect(modes.sort()).toEqual([
      "owners 700",
      "receipts.db 600",
      "receipts.db-shm 600",
      "receipts.db-wal 600",
    ]);
    expect(lock).toBe("600");
  } finally {
    process.umask(umask);
  }
});

proves("RCPT-13", "a damaged file and one that is no store are refused and kept", async () => {
  const directory = temporaryDirectory();
  const damaged = join(directory, "damaged.db");
  const foreign = join(directory, "foreign.db");
  await filledStore(damaged);
  const bytes = readFileSync(damaged);
  bytes.fill(0x5a, 4_096, 3 * 4_096);
  writeFileSync(damaged, bytes);
  writeFileSync(foreign, "This is not a database, but it is long enough to look at.\n".repeat(40), {
    mode: 0o600,
  });

  for (const file of [damaged, foreign]) {
    const before = readFileSync(file);
    await expect(openSqliteStore({ file })).rejects.toMatchObject({ code: "store_damaged" });
    expect(readFileSync(file).equals(before)).toBe(true);
  }
});

proves("RCPT-13", "a store of a newer release is refused and kept", async () => {
  const file = join(temporaryDirectory(), "receipts.db");
  await filledStore(file);
  const database = new DatabaseSync(file);
  database.exec("UPDATE postern_receipts_marks SET value = 2 WHERE name = 'schema'");
  database.close();

  await expect(openSqliteStore({ file })).rejects.toMatchObject({
    code: "store_too_new",
    message: expect.stringContaining("schema 2"),
  });
});

proves("RCPT-13", "network file systems are told from local ones", () => {
  const [nfs, cifs, smb2] = [0x6969, 0xff534d42 | 0, 0xfe534d42];
  const [ext4, tmpfs, overlay] = [0xef53, 0x01021994, 0x794c7630];

  expect([nfs, cifs, smb2].map(isNetworkFileSystem)).toEqual([true, true, true]);
  expect([ext4, tmpfs, overlay].map(isNetworkFileSystem)).toEqual([false, false, false]);
});

proves(
  "RCPT-13",
  "the journal is write-ahead and the tables carry our prefix in the caller's file",
  async () => {
    const file = join(temporaryDirectory(), "app.db");
    writeFileSync(file, "", { mode: 0o600 });
    const database = new DatabaseSync(file);
    database.exec("CREATE TABLE projects (id TEXT); PRAGMA user_version = 7");

    await filledStore(file);

    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const names = tables.map(({ name }) => String(name));
    expect(names.filter((name) => !name.startsWith("postern_receipts"))).toEqual(["projects"]);
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 7 });
    database.close();
  },
);

proves(
  "QUAL-33",
  "a directory that cannot be written refuses the store and runs nothing",
  async () => {
    const directory = join(temporaryDirectory(), "state");
    await filledStore(join(directory, "receipts.db"));
    const log = join(directory, "..", "effects.log");
    // Root without this capability is held to the mode of a directory, and can still read what runs here.
    const held = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
    const prefix = process.getuid?.() === 0 ? held : [];
    chmodSync(directory, 0o500);

    const [program, args, env] = writerCommand({
      file: join(directory, "receipts.db"),
      log,
      calls: planned(1),
    });
    const [first = program, ...rest] = [...prefix, program, ...args];
    const child = spawnSync(first, rest, { env, encoding: "utf8", cwd: "/" });
    chmodSync(directory, 0o700);

    expect(child.status).not.toBe(0);
    expect(child.stderr).toContain("store_unavailable");
    expect(readdirSync(join(directory, "..")).sort()).toEqual(["state"]);
  },
);

test("the program's own flags do not reach the store's thread, which would refuse some", () => {
  const file = join(temporaryDirectory(), "receipts.db");
  const [program, args, env] = writerCommand({ file, log: `${file}.log`, calls: planned(1) });

  const child = spawnSync(program, ["--max-old-space-size=200", ...args], {
    env,
    encoding: "utf8",
  });

  expect(child.stderr).toBe("");
  expect(child.stdout).toContain('"state":"applied"');
});
