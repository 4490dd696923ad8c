import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool, type ServerConfig } from "../../src/index.ts";
import { httpServer, startFixture, verdict } from "../http-support.ts";
import { startNode } from "../support.ts";

// Node makes keys but no certificates.
const OPENSSL = "openssl";

/** A key and a certificate that vouches for itself, for these names. */
function certificate(names: string): { key: string; cert: string } {
  const folder = temporaryDirectory();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=fixture", "-addext", `subjectAltName=${names}`];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  execFileSync(OPENSSL, [...made, "-nodes", "-keyout", key, "-out", cert, ...subject], {
    stdio: "ignore",
  });
  return { key, cert };
}

async function secureServer(names: string) {
  const { key, cert } = certificate(names);
  const server = await httpServer(`--key=${key}`, `--cert=${cert}`);
  return { ...server, cert };
}

const call = async (config: ServerConfig) => verdict(await callTool(config, "echo"));

proves("CLNT-60", "https, or http to this machine alone; localhost is one that it is", async () => {
  const server = await httpServer();
  const port = String(server.port);

  for (const host of ["127.0.0.1", "localhost", "LOCALHOST", "127.1"]) {
    expect([host, await call({ url: `http://${host}:${port}/mcp` })]).toEqual([host, undefined]);
  }
  for (const host of [
    "example.com",
    "192.168.0.1",
    "0.0.0.0",
    "localhost.",
    "a.localhost",
    "[::2]",
  ]) {
    const seen = await call({ url: `http://${host}:${port}/mcp` });
    expect([host, seen]).toEqual([host, ["insecure_url", "not_sent"]]);
  }
  expect(await call({ url: "ftp://127.0.0.1/" })).toEqual(["invalid_config", "not_sent"]);
  expect(server.requests().every(({ headers }) => headers["host"]?.endsWith(`:${port}`))).toBe(
    true,
  );
  // A resolver that sends localhost elsewhere is not followed.
  const program = `
    const dns = process.getBuiltinModule("node:dns");
    dns.lookup = (_name, _options, callback) => callback(null, [{ address: "10.0.0.1", family: 4 }]);
    const { callTool } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/index.ts"))});
    const { error } = await callTool({ url: "http://localhost:${port}/mcp" }, "echo");
    console.log(error.code, error.delivery);`;
  const { stdout } = await startNode(["--input-type=module", "-e", program]).ended;
  expect(stdout).toBe("address_refused not_sent\n");
});

test("a port where nobody listens, and a server that hangs up, are told before anything is sent", async () => {
  const closed = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

  const outcome = await callTool({ url: `http://127.0.0.1:${String(closed)}/mcp` }, "echo");

  expect(outcome.error).toMatchObject({ code: "connect_failed", delivery: "not_sent" });
  expect(outcome.detail).toMatchObject({ phase: "connect", bytesSent: 0, transport: "http" });
});

proves(
  "CLNT-69",
  "certificates are verified whatever the environment says; a proxy is explicit",
  async () => {
    const server = await secureServer("IP:127.0.0.1");
    const wrongName = await secureServer("DNS:example.com");
    const log = join(temporaryDirectory(), "log");
    const proxy = `http://127.0.0.1:${String(await startFixture("proxy.mjs", `--log=${log}`))}`;
    const refusing = `http://127.0.0.1:${String(await startFixture("proxy.mjs", `--log=${log}`, "--status=407"))}`;
    const secret = join(temporaryDirectory(), "secret");
    writeFileSync(secret, "user:pass\n", { mode: 0o600 });

    expect(await call({ url: server.url })).toEqual(["tls_failed", "not_sent"]);
    expect(await call({ url: server.url, caFile: server.cert })).toBeUndefined();
    expect(await call({ url: wrongName.url, caFile: wrongName.cert })).toEqual([
      "tls_failed",
      "not_sent",
    ]);
    expect(existsSync(log)).toBe(false);
    const through = { url: server.url, caFile: server.cert };
    expect(await call({ ...through, proxy, proxyFrom: { file: secret } })).toBeUndefined();
    expect(await call({ ...through, proxy: refusing })).toEqual(["connect_failed", "not_sent"]);
    expect(await call({ url: server.url, proxy })).toEqual(["tls_failed", "not_sent"]);
    expect(JSON.parse(readFileSync(log, "utf8").split("\n", 1)[0] ?? "")).toEqual({
      url: `127.0.0.1:${String(server.port)}`,
      auth: `Basic ${Buffer.from("user:pass").toString("base64")}`,
    });

    const program = `
    const { callTool } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/index.ts"))});
    const { error } = await callTool({ url: ${JSON.stringify(server.url)} }, "echo");
    console.log(error.code);`;
    const env = {
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      HTTPS_PROXY: refusing,
      https_proxy: refusing,
      NODE_USE_ENV_PROXY: "1",
    };
    const before = readFileSync(log, "utf8");
    const { stdout } = await startNode(["--input-type=module", "-e", program], { env }).ended;
    expect(stdout).toBe("tls_failed\n");
    expect(readFileSync(log, "utf8")).toBe(before);
    expect(server.requests().every(({ message }) => message.method !== undefined)).toBe(true);
  },
);
