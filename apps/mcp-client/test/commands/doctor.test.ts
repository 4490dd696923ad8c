import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { beforeEach, expect, test } from "vitest";
import { unwrap } from "../../src/index.ts";
import { settings } from "../../src/settings/index.ts";
import { httpServer } from "../http-support.ts";
import { startAuthorization, type Ways } from "../oauth/authorization-server.ts";
import { cli, cliJson, fixturePath, logged, serverWords } from "../support.ts";

interface Finding {
  readonly status: string;
  readonly check: string;
  readonly message: string;
  readonly clause?: string;
}

const examine = async (...words: string[]) => {
  const { exitCode, document } = await cliJson(["doctor", ...words]);
  const findings: Finding[] = document.result.findings;
  return { exitCode, findings, statuses: findings.map(({ status, check }) => [check, status]) };
};

let folder: string;
beforeEach(() => {
  folder = temporaryDirectory();
  process.env["XDG_STATE_HOME"] = join(folder, "state");
});

proves(
  "CLNT-116",
  "doctor looks at Node, the file and the settings, and makes nothing",
  async () => {
    const fresh = await examine();
    expect(fresh).toMatchObject({
      exitCode: 0,
      statuses: [
        ["node", "ok"],
        ["configuration file", "ok"],
        ["settings", "ok"],
      ],
    });
    expect(existsSync(join(folder, "state"))).toBe(false);

    const path = join(folder, "config.json");
    writeFileSync(path, "{", { mode: 0o600 });
    unwrap(await settings.save("files", { timeoutMs: 500 }));
    const sealed = join(folder, "state/postern/mcp-client/mcp-client.sealed");
    const stored = await examine("--config", path);
    expect(stored.exitCode).toBe(1);
    expect(stored.findings[1]?.status).toBe("fail");
    expect(stored.findings[2]?.message).toMatch(
      /^1 entries, key in (?:key_file|keychain)\. The key/,
    );
    chmodSync(sealed, 0o644);
    expect((await examine()).findings[2]).toMatchObject({ status: "fail" });
  },
);

proves(
  "CLNT-116",
  "doctor SERVER opens each revision, names faults with their clause, and calls no tool",
  async () => {
    const log = join(folder, "log");
    const good = await examine(...serverWords(`--log=${log}`));
    expect(good).toMatchObject({
      exitCode: 0,
      statuses: [
        ["revision 2025-11-25", "ok"],
        ["revision 2026-07-28", "ok"],
        ["tools", "ok"],
        ["stdout", "ok"],
        ["end", "ok"],
      ],
    });
    expect(logged(log).some(({ method }) => method === "tools/call")).toBe(false);

    const tools = join(folder, "tools.json");
    const inputSchema = { type: "object" };
    const faulty = [
      { name: "a b", inputSchema },
      { name: "bad", inputSchema: { $ref: "https://example.com/s" } },
    ];
    writeFileSync(tools, JSON.stringify(faulty));
    const bad = await examine(...serverWords("--only=2025", "--banner=2", `--tools=${tools}`));
    expect(bad.exitCode).toBe(1);
    expect(bad.statuses).toEqual([
      ["revision 2025-11-25", "ok"],
      ["revision 2026-07-28", "warn"],
      ["tools", "ok"],
      ["tools", "fail"],
      ["tools", "warn"],
      ["stdout", "fail"],
      ["end", "ok"],
    ]);
    const unnamed = bad.findings.filter(({ status, clause }) => status !== "ok" && !clause);
    expect(unnamed).toEqual([]);
  },
);

test("a stubborn end is a warning, and a server that does not start or is not known fails", async () => {
  const tree = [fixturePath("tree.mjs"), folder, "ignores-eof"];
  const path = join(folder, "config.json");
  const slow = { command: process.execPath, args: tree, closeGraceMs: 0, killGraceMs: 0 };
  writeFileSync(path, JSON.stringify({ servers: { slow } }), { mode: 0o600 });

  const stubborn = await cli(["doctor", "slow", "--config", path]);
  expect(stubborn.stdout).toMatch(/^warn end: did not end with its input; SIG(?:TERM|KILL)/m);
  expect(stubborn.exitCode).toBe(0);
  const gone = await cli(["doctor", "--", "/no/such"]);
  expect([gone.exitCode, gone.stdout]).toEqual([1, expect.stringMatching(/^fail revision 2025/)]);
  expect((await cli(["doctor", "none"])).exitCode).toBe(1);
  expect((await cli(["doctor", "a", "b"])).exitCode).toBe(2);
});

proves(
  "CLNT-116",
  "over HTTP it looks at sessions, authorisation and OAuth metadata too",
  async () => {
    const kept = await httpServer("--session=s1");
    expect(await examine(kept.url)).toMatchObject({
      exitCode: 0,
      statuses: [
        ["revision 2025-11-25", "ok"],
        ["revision 2026-07-28", "ok"],
        ["tools", "ok"],
        ["session", "ok"],
      ],
    });
    const stubborn = await httpServer("--session=s1", '--on=DELETE={"status":500}');
    const refusing = await httpServer("--session=s1", '--on=DELETE={"status":405}');
    const ends = [await examine(stubborn.url), await examine(refusing.url)].map(({ findings }) =>
      findings.find(({ check }) => check === "session"),
    );
    expect(ends.map((end) => end?.status)).toEqual(["warn", "ok"]);

    const tools = join(folder, "tools.json");
    const annotated = { type: "string", "x-mcp-header": "not a token" };
    const inputSchema = { type: "object", properties: { a: annotated } };
    writeFileSync(tools, JSON.stringify([{ name: "t", inputSchema }]));
    const wrong = await examine((await httpServer(`--tools=${tools}`)).url);
    expect(wrong.exitCode).toBe(1);
    expect(wrong.findings.at(-1)).toMatchObject({ status: "fail", check: "tools" });

    const ways: Ways = {};
    const authorization = await startAuthorization(ways);
    const metadata = authorization.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
    const refusal = (headers: object) => JSON.stringify({ status: 401, headers });
    const named = refusal({ "www-authenticate": `Bearer resource_metadata="${metadata}"` });
    const guarded = await httpServer(`--on=POST=${named}`);
    ways.resource = { resource: guarded.url };
    const wanting = await examine(guarded.url);
    expect(wanting.statuses).toEqual([
      ["revision 2025-11-25", "warn"],
      ["revision 2026-07-28", "warn"],
      ["authorization", "ok"],
      ["OAuth metadata", "ok"],
    ]);
    expect(authorization.seen.map(({ method }) => method)).toEqual(["GET", "GET"]);
    ways.server = { code_challenge_methods_supported: ["plain"] };
    const weak = await examine(guarded.url);
    expect([weak.exitCode, weak.findings.at(-1)?.message]).toEqual([
      1,
      expect.stringContaining("oauth_pkce_unsupported"),
    ]);
    const silent = await httpServer(`--on=POST=${refusal({})}`);
    expect((await examine(silent.url)).statuses.slice(2)).toEqual([
      ["authorization", "warn"],
      ["OAuth metadata", "fail"],
    ]);
  },
);
