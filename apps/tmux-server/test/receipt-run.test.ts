import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRequestId, ToolError } from "@postern/protocol";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import { doctor } from "../src/doctor.ts";
import { runOnce, type WriteContext } from "../src/receipt-run.ts";
import { refusalOf } from "./rig/reading-app.ts";
import { recordingPane, work, writingRig } from "./rig/writing-rig.ts";

const raw = { session: "raw" };
const silent = { program: ["sleep", "1000"] };

proves(
  ["TMUX-75", "TMUX-76"],
  "the same id gives the original answer byte for byte and types once, also after a restart",
  async () => {
    const rig = await writingRig(silent);
    const pane = await recordingPane(rig, "raw");
    const request = { ...raw, text: "once\n", requestId: newRequestId() };

    const original = await rig.write(request);
    const together = await Promise.all(Array.from({ length: 20 }, () => rig.write(request)));
    const later = await rig.another().write(request);
    const conflict = await refusalOf(rig.write({ ...request, text: "twice\n" }));

    expect(JSON.stringify([...together, later])).toBe(JSON.stringify(Array(21).fill(original)));
    expect(conflict.code).toBe("request_conflict");
    await pane.received("once\r");
  },
);

proves(
  "TMUX-76",
  "a recorded refusal is repeated as it was; what was refused before is not recorded",
  async () => {
    const rig = await writingRig(silent);
    const pane = await recordingPane(rig, "raw");
    await rig.tmux("copy-mode", "-t", "raw");
    const request = { ...raw, text: "x", requestId: newRequestId() };
    const first = await refusalOf(rig.write(request));
    await rig.tmux("copy-mode", "-q", "-t", "raw");
    const again = await refusalOf(rig.write(request));
    const bad = { ...raw, text: "\u0007", requestId: newRequestId() };
    await refusalOf(rig.write(bad));

    expect(first.code).toBe("pane_in_mode");
    expect(again).toMatchObject({ code: first.code, message: first.message, data: first.data });
    expect((await refusalOf(rig.receipt({ requestId: bad.requestId }))).code).toBe(
      "receipt_not_found",
    );
    await rig.write({ ...bad, text: "y" });
    await pane.received("y");
  },
);

proves(
  "TMUX-75",
  "receipts belong to a tool, hold no token, and a minted id is answered but never run again",
  async () => {
    const token = "canary-token-0123456789";
    const rig = await writingRig({ ...silent, config: { auth_token: token } });
    const pane = await recordingPane(rig, "raw");
    const requestId = newRequestId();
    await rig.write({ ...raw, text: "a", requestId, auth_token: token });
    await rig.press({ ...raw, key: "Up", requestId, auth_token: token });
    await pane.received("a\u001b[A");
    const both = await rig.receipt({ requestId });
    const one = await rig.receipt({ requestId, tool: "send_keys_tmux" });
    const foreign = {
      ...raw,
      text: "b",
      requestId: "e2752ca1-b13e-8635-a656-e1e444bf1f8b",
      auth_token: token,
    };

    expect(both.receipts.map(({ scope }) => scope.tool).sort()).toEqual([
      "send_keys_tmux",
      "write_tmux_pane",
    ]);
    expect(one.receipts).toMatchObject([{ state: "applied", result: { key: "Up" } }]);
    expect(both.capacity).toMatchObject({ max: 100_000, remaining: 99_998 });
    expect(JSON.stringify(both)).not.toContain(token);
    for (const file of ["receipts.sqlite", "receipts.sqlite-wal"]) {
      expect(readFileSync(join(rig.state, "mcp-tmux", file), "latin1")).not.toContain(token);
    }
    expect(statSync(join(rig.state, "mcp-tmux")).mode & 0o777).toBe(0o700);
    expect(statSync(join(rig.state, "mcp-tmux/receipts.sqlite")).mode & 0o777).toBe(0o600);
    // A later server cannot know whether an id that looks minted was one of a receipt that went.
    expect((await refusalOf(rig.another().write(foreign))).code).toBe("request_id_too_old");
  },
);

proves(
  "TMUX-99",
  "with a store that cannot be opened reads go on, writes are refused and the file is kept",
  async () => {
    const rig = await writingRig(silent);
    const pane = await recordingPane(rig, "raw");
    await rig.write({ ...raw, text: "a" });
    await pane.received("a");
    const directory = join(rig.state, "mcp-tmux");
    chmodSync(directory, 0o755);
    const open = rig.another();
    const notPrivate = await refusalOf(open.write({ ...raw, text: "b" }));
    chmodSync(directory, 0o700);
    await open.write({ ...raw, text: "c" });
    await pane.received("c");
    expect(notPrivate.code).toBe("store_unavailable");
    expect(await open.info(raw)).toMatchObject({ target: "raw:0.0" });
  },
);

proves("TMUX-99", "a damaged store is kept as it is and named by doctor", async () => {
  const rig = await writingRig(silent);
  await rig.info(work);
  expect(existsSync(rig.state)).toBe(false);
  const directory = join(rig.state, "mcp-tmux");
  const file = join(directory, "receipts.sqlite");
  const damage = "no database at all".repeat(1_000);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(file, damage, { mode: 0o600 });
  const refusal = await refusalOf(rig.write({ ...work, text: "x" }));
  const report = await doctor(rig.app, directory);

  expect(refusal.code).toBe("store_unavailable");
  expect(readFileSync(file, "utf8")).toBe(damage);
  expect(report.problems).toBe(1);
  expect(report.text).toContain(`moving ${file} away`);
});

proves(
  "TMUX-75",
  "a failure before arming is a refusal, the same failure after it leaves the outcome unknown",
  async () => {
    const { app } = await writingRig(silent);
    const failure = new ToolError("no_server", "No tmux server runs.");
    const call = (isArmed: boolean): Promise<unknown> => {
      const context: WriteContext = {
        principal: { subject: "user", scopes: [] },
        params: {},
        signal: new AbortController().signal,
        revision: "2025-11-25",
        sentArguments: {},
        meta: {},
        requestId: newRequestId(),
        requestIdMinted: false,
        reportProgress: () => undefined,
      };
      return runOnce(app, "write_tmux_pane", context, async (steps) => {
        if (isArmed) await steps.arm();
        throw failure;
      });
    };

    expect((await refusalOf(call(false))).code).toBe("no_server");
    expect((await refusalOf(call(true))).code).toBe("outcome_unknown");
  },
);
