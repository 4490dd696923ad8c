import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toJsonSchema } from "@valibot/to-json-schema";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool } from "../../src/index.ts";
import { parseServerConfig } from "../../src/config/parse.ts";
import { serverConfigSchema } from "../../src/config/http-schema.ts";

const problemsOf = async (raw: unknown) => {
  const parsed = await parseServerConfig(raw);
  return parsed.kind === "ok" ? "ok" : parsed.error.message;
};

proves("CLNT-21", "both transports, neither, or foreign fields are refused by name", async () => {
  const neither = 'neither "command" (stdio) nor "url" (HTTP)';
  const both = '"command" (stdio) and "url"';
  const cases: [unknown, string][] = [
    [{}, neither],
    [{ args: [] }, neither],
    [{ headers: {} }, '"headers" (HTTP) but no "url"'],
    [{ command: "x", url: "https://h/" }, both],
    [{ command: "x", headers: {} }, '"command" (stdio) and "headers" (HTTP)'],
    [{ url: "https://h/", cwd: "/" }, '"cwd" (stdio) and "url" (HTTP)'],
    [{ command: "x", timoutMs: 1 }, '"timoutMs"; did you mean "timeoutMs"?'],
    [{ url: "https://h/", haeders: {} }, '"haeders"; did you mean "headers"?'],
    [5, "not an object"],
  ];
  for (const [raw, problem] of cases) expect(await problemsOf(raw)).toContain(problem);

  const { error, detail } = await callTool({ command: "x", timoutMs: 1 } as never, "t");
  expect(error).toMatchObject({ code: "invalid_config", delivery: "not_sent" });
  expect(detail).toMatchObject({ phase: "config", bytesSent: 0 });
});

const bounds: [string, number, number][] = [
  ["timeoutMs", 100, 3_600_000],
  ["idleTimeoutMs", 1_000, 3_600_000],
  ["handshakeTimeoutMs", 500, 600_000],
  ["probeTimeoutMs", 100, 60_000],
  ["closeGraceMs", 0, 60_000],
  ["killGraceMs", 0, 10_000],
  ["maxMessageBytes", 4 * 1024, 256 * 1024 * 1024],
  ["maxInFlight", 1, 64],
  ["listMaxPages", 1, 1_000],
  ["listMaxItems", 1, 100_000],
  ["maxStreamBytes", 64 * 1024, 1024 * 1024 * 1024],
];
test.each(bounds)("%s lies between %i and %i", async (field, lowest, highest) => {
  const server = field === "maxStreamBytes" ? { url: "https://h/" } : { command: "x" };
  const verdicts = (values: unknown[]) =>
    Promise.all(values.map((value) => problemsOf({ ...server, [field]: value })));

  expect(await verdicts([lowest, highest])).toEqual(["ok", "ok"]);
  expect(
    await verdicts([lowest - 1, highest + 1, lowest + 0.5, String(lowest), null]),
  ).not.toContain("ok");
});

test("lists and strings have their caps, and NUL is refused", async () => {
  const accepts = async (part: object) => (await problemsOf({ command: "x", ...part })) === "ok";

  expect(await accepts({ args: Array.from({ length: 256 }, () => "a") })).toBe(true);
  expect(await accepts({ args: Array.from({ length: 257 }, () => "a") })).toBe(false);
  expect(await accepts({ args: ["a".repeat(32 * 1024)] })).toBe(true);
  expect(await accepts({ args: ["a".repeat(32 * 1024 + 1)] })).toBe(false);
  expect(await accepts({ args: ["a\0"] })).toBe(false);
  expect(await accepts({ env: { "A=B": "x" } })).toBe(false);
  expect(await accepts({ envFrom: { A: { env: "B" } } })).toBe(true);
  expect(await accepts({ envFrom: { A: { file: "relative" } } })).toBe(false);
  expect(await accepts({ envFrom: { A: { env: "B", file: "/c" } } })).toBe(false);
  expect(await accepts({ protocolVersion: "2024-11-05" })).toBe(false);
});

test("no value of a configuration is ever quoted", async () => {
  expect(await problemsOf({ command: "x", env: { TOKEN: 5 }, args: ["canary\0"] })).not.toMatch(
    /canary|\b5\b/,
  );
});

test("the defaults are those of the schema alone", async () => {
  const parsed = await parseServerConfig({ command: "x" });

  expect(parsed).toEqual({
    kind: "ok",
    config: {
      command: "x",
      args: [],
      env: {},
      envFrom: {},
      inheritEnv: [],
      protocolVersion: "2025-11-25",
      acceptRevisions: [],
      timeoutMs: 30_000,
      handshakeTimeoutMs: 30_000,
      probeTimeoutMs: 2_000,
      closeGraceMs: 2_000,
      killGraceMs: 500,
      maxMessageBytes: 16 * 1024 * 1024,
      maxInFlight: 8,
      listMaxPages: 64,
      listMaxItems: 10_000,
      listMaxBytes: 64 * 1024 * 1024,
    },
  });
});

test("the published JSON Schema is made from the same schema", () => {
  const server = toJsonSchema(serverConfigSchema, { typeMode: "input" });
  const file = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Servers of postern-mcp",
    type: "object",
    properties: {
      $schema: { type: "string" },
      servers: {
        type: "object",
        propertyNames: { pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" },
        maxProperties: 256,
        additionalProperties: { ...server, $schema: undefined },
      },
    },
    required: ["servers"],
    additionalProperties: false,
  };

  const published = readFileSync(join(import.meta.dirname, "../../schema/mcp-client.schema.json"));
  expect(JSON.parse(published.toString())).toEqual(JSON.parse(JSON.stringify(file)));
});
