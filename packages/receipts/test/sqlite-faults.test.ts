import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect } from "vitest";
import {
  openSqliteStore,
  type ReceiptAnswer,
  type ReceiptStore,
  type StoreFault,
} from "../src/index.ts";
import { auditFaults, faultsOf, planned, preparedStore } from "./comparison.ts";
import { openInlineStore } from "./inline-store.ts";
import { effectsIn, filesIn, runWriter } from "./rig.ts";
import { callOf, counted, never, queryOf, receiptsOn } from "./suite/kit.ts";
import { doWork } from "./work.ts";

async function storeWith(faults?: StoreFault): Promise<ReceiptStore & { file: string }> {
  const file = join(temporaryDirectory(), "receipts.db");
  const prepared = await openSqliteStore({ file });
  await receiptsOn(prepared).runOnce(known, counted().effect);
  await prepared.close();
  return Object.assign(await openSqliteStore({ file, ...(faults && { faults }) }), { file });
}

const known = callOf();

proves(
  ["RCPT-02", "RCPT-03", "RCPT-14", "QUAL-33"],
  "whichever write fails, on a full or a broken disk, nothing runs unrecorded and nothing is told falsely",
  async () => {
    const template = await preparedStore(temporaryDirectory());
    const wrong: string[] = [];
    const healthy: number[] = [];
    for (const faults of [
      { action: "disk_full", when: "before" },
      { action: "io_error", when: "after" },
    ] as const) {
      for (let atStep = 1, isHit = true; isHit; atStep += 1) {
        const files = filesIn(join(dirname(template), `${faults.action}-${String(atStep)}`));
        mkdirSync(dirname(files.file), { recursive: true, mode: 0o700 });
        copyFileSync(template, files.file);
        const work = { ...files, calls: planned(1, { audited: true }) };
        const first = new Map<string, ReceiptAnswer>();
        const again = new Map<string, ReceiptAnswer>();

        const health = await doWork(
          { ...work, faults: { ...faults, atStep } },
          (id, answer) => first.set(id, answer),
          openInlineStore,
        );
        const before = effectsIn(files.log);
        await doWork(work, (id, answer) => again.set(id, answer), openInlineStore);

        const [id = ""] = first.keys();
        const ran = [before.get(id) ?? 0, effectsIn(files.log).get(id) ?? 0] as const;
        const found = [...faultsOf(first.get(id), again.get(id), ran), ...auditFaults(files.file)];
        if (first.get(id)?.kind === "store_unavailable" && ran[0] > 0) found.push("ran unrecorded");
        wrong.push(...found.map((fault) => `${faults.action} at ${String(atStep)}: ${fault}`));
        isHit = health !== "ok";
        if (!isHit) healthy.push(atStep);
      }
    }

    expect(wrong).toEqual([]);
    expect(Math.min(...healthy)).toBeGreaterThan(15);
  },
  60_000,
);

proves(
  ["RCPT-02", "RCPT-14"],
  "an arming that cannot be written runs nothing, and the store reads on but writes no more",
  async () => {
    // A plain call takes six steps to claim and four to arm; the last of these commits.
    const store = await storeWith({ atStep: 10, action: "io_error" });
    const receipts = receiptsOn(store);
    const counter = counted();
    const call = callOf();

    const answer = await receipts.runOnce(call, counter.effect);

    expect(answer).toEqual({ kind: "store_unavailable", reason: "disk I/O error" });
    expect(counter.count).toBe(0);
    expect(receipts.health()).toEqual({ readOnly: "disk I/O error" });
    expect(await receipts.runOnce(callOf(), never)).toMatchObject({ kind: "store_unavailable" });
    expect(await receipts.runOnce(known, never)).toMatchObject({ replayed: true, stored: true });
    expect(await receipts.find(queryOf(known))).toHaveLength(1);
    const [pending] = await receipts.find(queryOf(call));
    expect(pending).toMatchObject({ state: "unknown", code: "outcome_unknown" });
    await store.close();
  },
);

proves(
  ["RCPT-02", "RCPT-15"],
  "an outcome that cannot be written is told once as it was, then as unknown for ever",
  async () => {
    const store = await storeWith({ atStep: 11, action: "disk_full" });
    const receipts = receiptsOn(store);
    const call = callOf();

    const first = await receipts.runOnce(call, counted().effect);
    const again = await receipts.runOnce(call, never);
    await store.close();
    const reopened = await openSqliteStore({ file: store.file });
    const later = await receiptsOn(reopened).runOnce(call, never);
    await reopened.close();

    expect(first).toMatchObject({ stored: false, receipt: { state: "applied" } });
    expect(again).toMatchObject({ stored: false, receipt: { state: "unknown" } });
    expect(later).toMatchObject({
      stored: true,
      receipt: { state: "unknown", code: "owner_lost" },
    });
  },
);

proves(
  ["RCPT-14", "QUAL-33"],
  "a file that the system lets grow no further refuses new calls before their effect",
  async () => {
    const files = filesIn(temporaryDirectory());
    const work = { ...files, calls: planned(40) };
    const again = new Map<string, ReceiptAnswer>();

    const limited = await runWriter(work, {
      // 1 000 blocks of 512 bytes; the ignored signal makes the write itself fail.
      through: ["/bin/sh", "-c", 'trap "" XFSZ; ulimit -f 1000; exec "$@"', "sh"],
    });
    const before = effectsIn(files.log);
    await doWork(work, (id, answer) => again.set(id, answer));

    expect(limited.health).toMatchObject({ readOnly: expect.any(String) });
    const unavailable = [...limited.answers].filter(([, { kind }]) => kind === "store_unavailable");
    expect(unavailable.length).toBeGreaterThan(0);
    expect(before.size).toBeGreaterThan(0);
    for (const [id, answer] of limited.answers) {
      const ran = [before.get(id) ?? 0, effectsIn(files.log).get(id) ?? 0] as const;
      expect(faultsOf(answer, again.get(id), ran)).toEqual([]);
    }
    for (const [id] of unavailable) expect(before.get(id)).toBeUndefined();
  },
);

proves("RCPT-14", "a store whose thread has ended takes no call and says why", async () => {
  const store = await storeWith();
  const receipts = receiptsOn(store);

  await store.close();

  expect(receipts.health()).toEqual({ readOnly: "The store is closed." });
  expect(await receipts.runOnce(callOf(), never)).toEqual({
    kind: "store_unavailable",
    reason: "The store is closed.",
  });
});
