import { newRequestId } from "@postern/protocol";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import { readCommandLine } from "../src/flags.ts";
import { receiptLog } from "../src/receipt-log.ts";
import { refusalOf } from "./rig/reading-app.ts";
import { work, writingRig } from "./rig/writing-rig.ts";

proves(
  "TMUX-78",
  "the log tells when, who, where, what became of each write and how much, and no text",
  async () => {
    const rig = await writingRig();
    const ids = [newRequestId(), newRequestId(), newRequestId()] as const;
    await rig.run({ ...work, command: ": secret words", requestId: ids[0] });
    await refusalOf(rig.write({ session: "nowhere", text: "secret", requestId: ids[1] }));
    await rig.press({ ...work, key: "C-l", requestId: ids[2] });
    const receipts = await rig.app.receipts();
    const json = await receiptLog(receipts, { last: 50, json: true });
    const lines = await receiptLog(receipts, { last: 2, json: false });

    const expected = {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      caller: "user",
      tool: "execute_and_wait",
      target: "work:0.0",
      outcome: "applied",
      requestId: ids[0],
      bytes: 14,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    };
    expect(
      json
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      expected,
      {
        ...expected,
        tool: "write_tmux_pane",
        target: null,
        outcome: "refused: session_not_found",
        requestId: ids[1],
        bytes: null,
        sha256: null,
      },
      { ...expected, tool: "send_keys_tmux", requestId: ids[2], bytes: 3 },
    ]);
    expect(lines.split("\n")).toHaveLength(3);
    expect(lines).toMatch(/ {2}user {2}send_keys_tmux {2}work:0\.0 {2}applied {2}/);
    expect(json + lines).not.toContain("secret");
  },
);

proves("TMUX-78", "the command line of the log is checked", () => {
  const command = (...args: readonly string[]): unknown => {
    const line = readCommandLine(["log", ...args]);
    return line.kind === "understood" ? line.command : line.problem;
  };

  expect(command("--last", "0")).toContain("1 to 10000");
  expect(command("--last", "10001")).toContain("1 to 10000");
  expect(command("--last", "x")).toContain("1 to 10000");
  expect(command("work")).toContain("no argument");
  expect(command()).toEqual({ kind: "log", last: 50, json: false });
  expect(command("--last", "10000", "--json")).toEqual({ kind: "log", last: 10_000, json: true });
});
