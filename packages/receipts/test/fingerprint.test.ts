import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprint } from "../src/index.ts";

proves("RCPT-05", "the fingerprint is SHA-256 over the canonical form of v, tool and args", () => {
  // printf '{"args":{"a":1,"b":"é"},"tool":"write","v":1}' | sha256sum
  expect(fingerprint("write", { b: "é", a: 1.0 })).toBe(
    "adaaafb8dddfa2df6a1818da3d8781330ed7d28533492a3f7e265f29d6b92f35",
  );
});

proves("RCPT-05", "key order changes nothing, any other change does", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.integer()), (args) => {
      const reversed = Object.fromEntries(Object.entries(args).toReversed());
      expect(fingerprint("write", reversed)).toBe(fingerprint("write", args));
      expect(fingerprint("send", args)).not.toBe(fingerprint("write", args));
      expect(fingerprint("write", { ...args, more: 0 })).not.toBe(
        fingerprint("write", { ...args, more: 1 }),
      );
    }),
  );
});

test("what is not JSON has no fingerprint", () => {
  for (const value of ["\ud800", Number.NaN]) {
    expect(() => fingerprint("write", [value])).toThrow(
      expect.objectContaining({ code: "invalid_call" }),
    );
  }
});
