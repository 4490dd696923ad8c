import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { expect } from "vitest";
import { memoryStore, openSqliteStore, type ReceiptStore } from "../src/index.ts";
import { planned, stateOf } from "./comparison.ts";
import { effectsIn, filesIn, runWriter, writerCommand } from "./rig.ts";
import {
  applied,
  callOf,
  counted,
  gate,
  never,
  queryOf,
  receiptIn,
  receiptsOn,
} from "./suite/kit.ts";

function locksOf(file: string): string[] {
  return readdirSync(join(dirname(file), "owners"));
}

async function open(file: string): Promise<ReceiptStore> {
  return openSqliteStore({ file });
}

proves(
  ["RCPT-13", "RCPT-01", "RCPT-06"],
  "of two processes with the same ids on one new file, one runs each and the other says so",
  async () => {
    const files = filesIn(temporaryDirectory());
    const work = { ...files, calls: planned(6), holdMs: 15 };

    const [one, two] = await Promise.all([runWriter(work), runWriter(work)]);

    expect([one.exit, two.exit, one.stderr + two.stderr]).toEqual([0, 0, ""]);
    expect([...effectsIn(files.log).values()]).toEqual([1, 1, 1, 1, 1, 1]);
    for (const { call } of work.calls) {
      const states = [one, two].map(({ answers }) => stateOf(answers.get(call.requestId)));
      expect(states).toContain("applied");
      expect(["applied", "request_in_progress"]).toEqual(expect.arrayContaining(states));
    }
    expect(locksOf(files.file)).toEqual([]);
  },
);

proves(
  ["RCPT-13", "RCPT-15"],
  "a pending row of another process is in progress while that lives, and unknown once it was killed",
  async () => {
    const files = filesIn(temporaryDirectory());
    const calls = planned(1);
    const [{ call } = { call: callOf() }] = calls;
    const store = await open(files.file);
    const receipts = receiptsOn(store);
    const [program, args, env] = writerCommand({ ...files, calls, holdMs: 60_000 });
    const child = spawn(program, args, { env, stdio: "ignore" });
    await eventually(() => existsSync(files.log), { what: "the effect" });

    const alive = await receipts.runOnce(call, never);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    const [found] = await receipts.find(queryOf(call));
    const dead = await receipts.runOnce(call, never);
    await store.close();

    expect(alive).toEqual({ kind: "request_in_progress", state: "armed", retryAfterMs: 1_000 });
    expect(receiptIn(dead)).toMatchObject({ state: "unknown", code: "owner_lost" });
    expect(found).toEqual(receiptIn(dead));
    expect(locksOf(files.file)).toEqual([]);
  },
);

proves(["RCPT-09", "RCPT-13"], "two owners of one file keep one figure together", async () => {
  const { file } = filesIn(temporaryDirectory());
  const stores = [await open(file), await open(file)];
  const owners = stores.map((store) => receiptsOn(store, { limits: { maxReceipts: 5 } }));
  const kinds: string[] = [];

  for (let round = 0; round < 4; round += 1) {
    for (const receipts of owners) {
      kinds.push((await receipts.runOnce(callOf(), counted().effect)).kind);
    }
  }
  const used = await Promise.all(owners.map(async (receipts) => receipts.capacity("ann")));
  await Promise.all(stores.map((store) => store.close()));

  expect(kinds.map((kind) => kind === "receipt")).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(used.map(({ remaining }) => remaining)).toEqual([0, 0]);
});

proves(
  ["RCPT-01", "RCPT-12"],
  "of two owners that claimed one id in memory, with singleWrite, only one can arm",
  async () => {
    const { file } = filesIn(temporaryDirectory());
    const [one, two] = [await open(file), await open(file)];
    const [first, second] = [gate(), gate()];
    const call = callOf({ singleWrite: true });
    const counter = counted();
    const slow = receiptsOn(two).runOnce(call, async (steps) => {
      second.open();
      await first.passed;
      return counter.effect(steps);
    });
    await second.passed;

    const fast = await receiptsOn(one).runOnce(call, async (steps) => {
      const result = await counter.effect(steps);
      first.open();
      expect((await slow).kind).toBe("request_in_progress");
      return result;
    });
    await Promise.all([one.close(), two.close()]);

    expect(receiptIn(fast).state).toBe("applied");
    expect(counter.count).toBe(1);
  },
);

proves(
  ["RCPT-02", "RCPT-15"],
  "an owner that was taken for dead refines its unknown receipt by a late report, once, and arms nothing",
  async () => {
    const { file } = filesIn(temporaryDirectory());
    const store = await open(file);
    const receipts = receiptsOn(store);
    const { open: finish, passed } = gate();
    const armed = gate();
    const [call, unarmed] = [callOf(), callOf()];
    const counter = counted();
    const running = receipts.runOnce(call, async (steps) => {
      await steps.arm();
      armed.open();
      await passed;
      return applied;
    });
    const waiting = receipts.runOnce(unarmed, async (steps) => {
      await passed;
      return counter.effect(steps);
    });
    await armed.passed;
    rmSync(join(dirname(file), "owners", `${store.owner}.lock`));
    const other = await open(file);
    const others = receiptsOn(other);
    const [lost] = await others.find(queryOf(call));

    finish();
    const answer = await running;
    const superseded = await waiting;
    const [refined] = await others.find(queryOf(call));
    const [closed] = await others.find(queryOf(unarmed));
    await Promise.all([store.close(), other.close()]);

    expect(lost).toMatchObject({ state: "unknown", code: "owner_lost" });
    expect(refined).toMatchObject({
      state: "applied",
      wasUnknown: true,
      established: "late_report",
    });
    expect(receiptIn(answer)).toEqual(refined);
    expect(superseded.kind).toBe("store_unavailable");
    expect(counter.count).toBe(0);
    expect(closed).toMatchObject({ state: "not_applied", code: "crashed_before_effect" });
  },
);

proves(
  ["RCPT-12", "RCPT-11"],
  "the caller's statements commit with the arming and the outcome, or nothing does",
  async () => {
    const { file } = filesIn(temporaryDirectory());
    const store = await open(file);
    const receipts = receiptsOn(store);
    const tables = new DatabaseSync(file);
    tables.exec("CREATE TABLE audit (what TEXT UNIQUE) STRICT; CREATE TABLE meta (open INTEGER)");
    const audit = (): unknown[] =>
      tables
        .prepare("SELECT what FROM audit")
        .all()
        .map(({ what }) => what);
    const note = (...whats: string[]) =>
      whats.map((what) => ({ sql: "INSERT INTO audit VALUES (?)", params: [what] }));
    const require = { sql: "SELECT 1 FROM meta WHERE open" };
    const run = (singleWrite: boolean, started: string, ended: string, needed = false) =>
      receipts.runOnce(callOf({ singleWrite }), async (steps) => {
        await steps.arm({ alongside: note(`${started}, a`, started), ...(needed && { require }) });
        return { ...applied, alongside: note(ended) };
      });

    const both = await run(false, "start 1", "end 1");
    const failedArm = await run(false, "start 1", "end 2");
    const failedSingleArm = await run(true, "end 1", "end 2");
    const failedEnd = await run(true, "start 3", "start 1");
    const unmet = await run(true, "start 4", "end 4", true);
    tables.exec("INSERT INTO meta VALUES (1)");
    const met = await run(true, "start 5", "end 5", true);
    const rows = audit();
    tables.close();
    const health = receipts.health();
    await store.close();

    expect(receiptIn(both).state).toBe("applied");
    expect(receiptIn(failedArm)).toMatchObject({ state: "not_applied", code: "not_started" });
    expect(receiptIn(failedSingleArm)).toMatchObject({ state: "not_applied", code: "not_started" });
    expect(failedEnd).toMatchObject({ stored: false, receipt: { state: "applied" } });
    expect(receiptIn(unmet)).toMatchObject({ state: "not_applied", code: "revoked" });
    expect(receiptIn(met).state).toBe("applied");
    expect(rows).toEqual([
      "start 1, a",
      "start 1",
      "end 1",
      "start 3, a",
      "start 3",
      "start 5, a",
      "start 5",
      "end 5",
    ]);
    expect(health).toBe("ok");
  },
);

proves("RCPT-12", "the memory store refuses the caller's statements", async () => {
  const receipts = receiptsOn(memoryStore());
  const statement = { sql: "SELECT 1" };
  let refusal: unknown;

  const answer = await receipts.runOnce(callOf(), async (steps) => {
    await steps.arm({ alongside: [statement] }).catch((error: unknown) => {
      refusal = error;
      throw error;
    });
    return applied;
  });

  expect(refusal).toMatchObject({ code: "statements_unsupported" });
  expect(receiptIn(answer)).toMatchObject({ state: "not_applied", code: "not_started" });
});
