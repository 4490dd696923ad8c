import { inspect } from "node:util";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool } from "../../src/index.ts";
import { parseServerConfig } from "../../src/config/parse.ts";
import { httpServer } from "../http-support.ts";
import { cli, cliJson } from "../support.ts";

const url = "https://h/mcp";
const codeOf = async (part: object) => {
  const parsed = await parseServerConfig({ url, ...part });
  return parsed.kind === "ok" ? "ok" : parsed.error.code;
};
const token = { env: "T" };

proves(
  "CLNT-62",
  "headers of our own are refused in any case, values are visible ASCII",
  async () => {
    const refused = [
      "mcp-session-id",
      "MCP-Anything",
      "Accept",
      "accept-encoding",
      "Content-Type",
      "content-md5",
      "HOST",
      "connection",
      "keep-alive",
      "transfer-encoding",
      "TE",
      "trailer",
      "upgrade",
      "expect",
      "proxy-authorization",
      "Cookie",
      "cookie2",
      "Last-Event-ID",
    ];
    for (const name of refused) {
      expect([name, await codeOf({ headers: { [name]: "x" } })]).toEqual([
        name,
        "forbidden_header",
      ]);
      expect(await codeOf({ headersFrom: { [name]: token } })).toBe("forbidden_header");
    }
    expect(await codeOf({ headers: { authorization: "Bearer x" } })).toBe("ok");
    expect(await codeOf({ headersFrom: { Authorization: token } })).toBe("ok");
    expect(await codeOf({ headers: { Authorization: "x" }, authToken: "y" })).toBe(
      "forbidden_header",
    );
    expect(await codeOf({ headersFrom: { Authorization: token }, authTokenFrom: token })).toBe(
      "forbidden_header",
    );
    expect(await codeOf({ headers: { "x-key": "a\tb c~" } })).toBe("ok");
    for (const value of ["a\r\nb", "ü", "\u007f"]) {
      expect(await codeOf({ headers: { "x-key": value } })).toBe("invalid_config");
    }
    expect(await codeOf({ headers: { "x y": "a" } })).toBe("invalid_config");
    expect(await codeOf({ headers: { "X-Key": "a" }, headersFrom: { "x-key": token } })).toBe(
      "invalid_config",
    );
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${String(at)}`, "v"]));
    expect([await codeOf({ headers: many(64) }), await codeOf({ headers: many(65) })]).toEqual([
      "ok",
      "invalid_config",
    ]);
    const wide = (bytes: number) => ({ "x-key": "v".repeat(bytes - 5) });
    expect([
      await codeOf({ headers: wide(16_384) }),
      await codeOf({ headers: wide(16_385) }),
    ]).toEqual(["ok", "invalid_config"]);
  },
);

test("a server has one authorisation, and a proxy only for https", async () => {
  expect(await codeOf({ authToken: "a", authTokenFrom: token })).toBe("invalid_config");
  expect(await codeOf({ authToken: "a b" })).toBe("invalid_config");
  expect(await codeOf({ proxy: "http://p:3128" })).toBe("ok");
  expect(await codeOf({ proxy: "http://u:p@p:3128" })).toBe("credential_in_url");
  expect(await codeOf({ proxy: "socks5://p" })).toBe("invalid_config");
  expect(await codeOf({ proxyFrom: token })).toBe("invalid_config");
  expect(await codeOf({ url: "http://127.0.0.1/", proxy: "http://p" })).toBe("invalid_config");
  expect(await codeOf({ caFile: "relative.pem" })).toBe("invalid_config");
});

proves(
  "CLNT-61",
  "a credential in a URL is refused unseen; printed URLs show no query values",
  async () => {
    const server = await httpServer();
    const port = String(server.port);

    for (const bad of [
      `http://canary:secret@127.0.0.1:${port}/mcp`,
      `http://canary@127.0.0.1:${port}/mcp`,
      `http://127.0.0.1:${port}/mcp?Access_Token=canary`,
    ]) {
      const { exitCode, text, document } = await cliJson(["call", bad, "echo"]);
      expect([exitCode, document.error.code]).toEqual([2, "credential_in_url"]);
      const plain = await cli(["list", bad]);
      expect(text + plain.stdout + plain.stderr).not.toContain("canary");
    }
    expect(server.connections()).toBe(0);
    const warned = await cliJson(["call", `${server.url}?api_key=canary&page=1`, "echo"]);
    expect(warned.exitCode).toBe(0);
    expect(warned.document.server).toBe(`${server.url}?api_key=...&page=...`);
    expect(warned.document.warnings).toEqual([
      { code: "secret_in_url", message: expect.stringContaining('"api_key"') },
    ]);
    expect(warned.text).not.toContain("canary");
    expect(server.requests()[0]?.url).toBe("/mcp?api_key=canary&page=1");
    const dry = await cliJson(["call", `${server.url}?api_key=canary`, "echo", "--dry-run"]);
    expect(dry.text).not.toContain("canary");
  },
);

proves(
  "CLNT-22",
  "secrets are taken after the configuration was judged, and reach the request alone",
  async () => {
    const server = await httpServer();
    const missing = { env: "NOT_SET_HERE" };

    const invalid = await callTool(
      { url: server.url, authTokenFrom: missing, timeoutMs: 1 },
      "echo",
    );
    const absent = await callTool({ url: server.url, authTokenFrom: missing }, "echo");
    process.env["CANARY_TOKEN"] = "canary-token";
    const sent = await callTool(
      { url: server.url, authTokenFrom: { env: "CANARY_TOKEN" } },
      "echo",
    );
    process.env["CANARY_TOKEN"] = "canary\ntoken";
    const broken = await callTool(
      { url: server.url, authTokenFrom: { env: "CANARY_TOKEN" } },
      "echo",
    );
    delete process.env["CANARY_TOKEN"];

    expect(
      [invalid, absent, broken].map(({ error, detail }) => [error?.code, detail.phase]),
    ).toEqual([
      ["invalid_config", "config"],
      ["secret_unavailable", "secrets"],
      ["secret_unavailable", "connect"],
    ]);
    expect(absent.error?.message).toContain("NOT_SET_HERE");
    expect(server.requests().at(-1)?.headers["authorization"]).toBe("Bearer canary-token");
    expect(inspect([sent, broken, broken.error], { depth: 9 })).not.toContain("canary");
  },
);
