import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { httpServer } from "../http-support.ts";
import { cli, cliJson, startBin } from "../support.ts";

test("secrets for headers come from variables and files, and stay out of argv and of --dry-run", async () => {
  const server = await httpServer();
  const file = join(temporaryDirectory(), "key");
  writeFileSync(file, "canary-file\n", { mode: 0o600 });
  const words = [
    "call",
    server.url,
    "headers",
    "--token-env=CANARY",
    `--header-from=X-Key=file:${file}`,
  ];
  const env = { CANARY: "canary-token" };

  const refused = await cliJson([
    "call",
    server.url,
    "echo",
    "--header",
    "authorization: Bearer canary",
  ]);
  const sent = await startBin([...words, "--header", "X-Plain: yes"], { env }).ended;
  const dry = await startBin([...words, "--dry-run", "--header", "X-Plain: yes"], { env }).ended;
  const both = await cliJson([...words, "--token-file=/x"]);
  const missing = await cliJson(["call", server.url, "echo", "--token-env=NOT_SET_HERE"]);

  expect([refused.exitCode, refused.document.error.code]).toEqual([2, "forbidden_header"]);
  expect(refused.document.error.message).toContain("--token-env");
  expect(refused.text).not.toContain("canary");
  expect(JSON.parse(sent.stdout)).toMatchObject({
    authorization: "Bearer canary-token",
    "x-key": "canary-file",
    "x-plain": "yes",
  });
  expect(dry.exitCode).toBe(0);
  expect(dry.stdout).toContain("authorization: [secret]");
  expect(dry.stdout + dry.stderr).not.toContain("canary-");
  expect(both.exitCode).toBe(2);
  expect(missing.document.error).toMatchObject({ code: "secret_unavailable" });
});

test("a token that is refused ends with exit 5 and keeps the challenge out of sight", async () => {
  const challenge = 'Bearer error="insufficient_scope", scope="canary"';
  const answer = (status: number) =>
    JSON.stringify({ status, headers: { "www-authenticate": challenge } });
  const unauthorised = await httpServer(`--on=tools/call=${answer(401)}`);
  const tooLittle = await httpServer(`--on=tools/call=${answer(403)}`);
  const early = await httpServer(`--on=initialize=${answer(401)}`);

  const all = await Promise.all(
    [unauthorised, tooLittle, early].map((server) => cliJson(["call", server.url, "echo"])),
  );

  expect(
    all.map(({ exitCode, document }) => [exitCode, document.error.code, document.delivery]),
  ).toEqual([
    [5, "auth_required", "rejected"],
    [5, "insufficient_scope", "rejected"],
    [5, "auth_required", "not_sent"],
  ]);
  expect(all.map(({ text }) => text).join("")).not.toContain("canary");
});

proves(
  "CLNT-114",
  "--dry-run connects and lists, shows what would be sent and why, and sends no call",
  async () => {
    const server = await httpServer("--session=canary-session");
    const file = join(temporaryDirectory(), "servers.json");
    const entry = { url: server.url, headers: { "x-tenant": "canary-tenant" }, timeoutMs: 9_000 };
    writeFileSync(file, JSON.stringify({ servers: { s: entry } }), { mode: 0o600 });
    const words = [
      "call",
      "s",
      "echo",
      "text=hi",
      "--dry-run",
      "--config",
      file,
      "--max-bytes=5000",
    ];

    const { exitCode, document, text } = await cliJson(words);
    const plain = await cli(words);

    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      delivery: "not_sent",
      result: {
        dryRun: true,
        method: "tools/call",
        headers: {
          "x-tenant": "[secret]",
          "mcp-session-id": "[secret]",
          "mcp-protocol-version": "2025-11-25",
          accept: "application/json, text/event-stream",
        },
        body: { method: "tools/call", params: { name: "echo", arguments: { text: "hi" } } },
      },
    });
    expect(document.result.settings).toEqual(
      expect.arrayContaining([
        { name: "timeoutMs", value: 9_000, from: file },
        { name: "maxMessageBytes", value: 5_000, from: "--max-bytes" },
        { name: "maxInFlight", value: 8, from: "default" },
        { name: "headers", value: { "x-tenant": "[secret]" }, from: file },
      ]),
    );
    expect(plain.stdout).toContain("header  x-tenant: [secret]");
    expect(plain.stdout).toMatch(/Nothing was sent\.\n$/);
    expect(text + plain.stdout + plain.stderr).not.toContain("canary");
    expect(server.lines()).not.toContain("POST tools/call");
  },
);
