import { createHash } from "node:crypto";
import { createToken } from "@postern/endpoint-auth";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import { hasTokenForm } from "../src/bearer-token.ts";

const grant = { subject: "laptop", scopes: ["read"], createdAt: 1_000 };

proves(
  "AUTH-15",
  "a token is shown once; its record holds a hash, and who and what it is for",
  () => {
    const { token, record } = createToken("ptm", grant);
    const text = token.reveal();

    expect(text).toMatch(/^ptm_[A-Za-z0-9_-]{49}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      sha256: createHash("sha256").update(text).digest("hex"),
      subject: "laptop",
      scopes: ["read"],
      label: "laptop",
      createdAt: 1_000,
    });
    expect(JSON.stringify({ token, record })).not.toContain(text.slice(4));
    expect(createToken("ptm", grant).token.reveal()).not.toBe(text);
  },
);

proves("AUTH-15", "a token with any other character is recognised as mistyped", () => {
  const text = createToken("ptm", grant).token.reveal();

  const other = (at: number): string =>
    `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
  const spoilt = Array.from({ length: text.length - 4 }, (_, index) => other(index + 4));

  expect(hasTokenForm(text)).toBe(true);
  expect(spoilt.filter(hasTokenForm)).toEqual([]);
  expect([text.slice(1), text.slice(0, -1), `${text}A`, ""].filter(hasTokenForm)).toEqual([]);
});
