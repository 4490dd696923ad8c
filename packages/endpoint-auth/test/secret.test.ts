import { inspect, format } from "node:util";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { equalSecret, Secret } from "../src/index.ts";

const canary = "canary-5f1c";

test("a secret prints as [secret] wherever a value can be printed", () => {
  const secret = new Secret(canary);
  const error = new Error(`no entry for ${String(secret)}`, { cause: { secret } });

  const printed = [
    `${secret as unknown as string} `.trim(),
    "".concat(secret as unknown as string),
    secret.toString(),
    JSON.stringify({ secret, list: [secret] }),
    inspect(secret, { showHidden: true, depth: 9, customInspect: false }),
    inspect({ deep: { secret } }, { depth: 9 }),
    format("%s %o %O %j", secret, secret, secret, secret),
    inspect(error),
    JSON.stringify(structuredClone(secret)),
    JSON.stringify(Object.entries(secret)),
  ];

  expect(printed.join("\n")).not.toContain(canary);
  expect(printed.slice(0, 4)).toEqual([
    "[secret]",
    "[secret]",
    "[secret]",
    '{"secret":"[secret]","list":["[secret]"]}',
  ]);
});

test("reveal gives the value back", () => {
  expect(new Secret(canary).reveal()).toBe(canary);
});

proves("AUTH-13", "secrets are equal only when every byte is", () => {
  const stored = new Secret(canary);

  expect(equalSecret(stored, `${canary} `)).toBe(false);
  expect(equalSecret(stored, canary.slice(1))).toBe(false);
  expect(equalSecret(stored, "")).toBe(false);
  expect(equalSecret(stored, canary.toUpperCase())).toBe(false);
  expect(equalSecret(stored, canary)).toBe(true);
  expect(equalSecret("", new Secret(""))).toBe(true);
});
