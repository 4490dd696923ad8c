import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { resolveLimits } from "../src/limits.ts";
import { memoryStore } from "../src/index.ts";
import { callOf, never, receiptsOn, scope } from "./suite/kit.ts";

test("the defaults are the documented ones", () => {
  expect(resolveLimits()).toEqual({
    maxReceipts: 128,
    maxReceiptsPerPrincipal: 128,
    maxMinted: 10_000,
    maxResultBytes: 65_536,
    maxStoreBytes: 268_435_456,
    joinMs: 30_000,
    eviction: "never",
  });
});

test.each([
  ["maxReceipts", 1, 1_000_000],
  ["maxResultBytes", 1_024, 8_388_608],
  ["joinMs", 0, 300_000],
] as const)("%s is taken from %d to %d and refused one beyond", (name, low, high) => {
  expect(resolveLimits({ [name]: low })[name]).toBe(low);
  expect(resolveLimits({ [name]: high })[name]).toBe(high);
  for (const value of [low - 1, high + 1, low + 0.5]) {
    expect(() => resolveLimits({ [name]: value })).toThrow(
      expect.objectContaining({ code: "invalid_limits" }),
    );
  }
});

proves(
  "RCPT-07",
  "a scope of 1 to 200 clean bytes and a UUID are taken, nothing else",
  async () => {
    const receipts = receiptsOn(memoryStore());
    const invalid = { code: "invalid_call" };

    for (const principal of ["a", "é".repeat(100)]) {
      const answer = await receipts.runOnce(callOf({ scope: { ...scope, principal } }), never);
      expect(answer.kind).toBe("receipt");
    }
    for (const principal of ["", `${"é".repeat(100)}a`, "a\nb", "a\u0085b", "\ud800"]) {
      const call = callOf({ scope: { ...scope, principal } });
      await expect(receipts.runOnce(call, never)).rejects.toMatchObject(invalid);
    }
    await expect(receipts.runOnce(callOf({ requestId: "7" }), never)).rejects.toMatchObject(
      invalid,
    );
  },
);
