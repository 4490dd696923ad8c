import { newRequestId } from "@postern/protocol";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { newMintedId } from "../src/index.ts";
import { claimMintedId, isUuid, requestIdKind, stampOf } from "../src/request-id.ts";

proves("RCPT-19", "a minted id is a UUIDv8 that can be claimed exactly once", () => {
  const id = newMintedId();

  expect(id).toMatch(
    /^[89a-f][0-9a-f]{7}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(claimMintedId(id)).toBe(true);
  expect(claimMintedId(id)).toBe(false);
});

test("of more than ten thousand unclaimed minted ids the oldest can no longer be claimed", () => {
  const [first = "", second = ""] = Array.from({ length: 10_001 }, () => newMintedId());

  expect(claimMintedId(first)).toBe(false);
  expect(claimMintedId(second)).toBe(true);
});

test("a UUIDv7 gives its time back, and only canonical UUIDs are taken", () => {
  const id = newRequestId(1_700_000_000_123);

  expect(stampOf(id)).toBe(1_700_000_000_123);
  expect(requestIdKind(id)).toBe("stamped");
  expect(requestIdKind("c56a4180-65aa-42ec-a945-5fd21dec0538")).toBe("plain");
  expect([id, id.toUpperCase(), `{${id}}`, id.replaceAll("-", ""), `${id}\n`].map(isUuid)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
