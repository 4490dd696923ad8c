import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toJsonSchema } from "@valibot/to-json-schema";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool } from "../../src/index.ts";
import { parseServerConfig } from "../../src/config/parse.ts";
import { serverConfigSchema } from "../../src/config/schema.ts";

const problemsOf = (raw: unknown) => {
  const parsed = parseServerConfig(raw);
  return parsed.kind === "ok" ? "ok" : parsed.error.message;
};

proves("CLNT-21", "both transports, neither, or foreign fields are refused by name", async () => {
  expect(problemsOf({})).toContain('no "command"');
  expect(problemsOf({ args: [] })).toContain('no "command"');
  expect(problemsOf({ command: "x", url: "https://h/" })).toContain('"command" (stdio) and "url"');
  expect(problemsOf({ command: "x", headers: {} })).toContain('"headers"');
  expect(problemsOf({ url: "https://h/" })).toContain("this release speaks stdio only");
  expect(problemsOf({ command: "x", timoutMs: 1 })).toContain(
    '"timoutMs"; did you mean "timeoutMs"?',
  );
  expect(problemsOf(5)).toContain("not an object");

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
];
test.each(bounds)("%s lies between %i and %i", (field, lowest, highest) => {
  const accepts = (value: unknown) => problemsOf({ command: "x", [field]: value }) === "ok";

  expect([lowest, highest].every(accepts)).toBe(true);
  expect([lowest - 1, highest + 1, lowest + 0.5, String(lowest), null].some(accepts)).toBe(false);
});

test("lists and strings have their caps, and NUL is refused", () => {
  const accepts = (part: object) => problemsOf({ command: "x", ...part }) === "ok";

  expect(accepts({ args: Array.from({ length: 256 }, () => "a") })).toBe(true);
  expect(accepts({ args: Array.from({ length: 257 }, () => "a") })).toBe(false);
  expect(accepts({ args: ["a".repeat(32 * 1024)] })).toBe(true);
  expect(accepts({ args: ["a".repeat(32 * 1024 + 1)] })).toBe(false);
  expect(accepts({ args: ["a\0"] })).toBe(false);
  expect(accepts({ env: { "A=B": "x" } })).toBe(false);
  expect(accepts({ envFrom: { A: { env: "B" } } })).toBe(true);
  expect(accepts({ envFrom: { A: { file: "relative" } } })).toBe(false);
  expect(accepts({ envFrom: { A: { env: "B", file: "/c" } } })).toBe(false);
  expect(accepts({ protocolVersion: "2024-11-05" })).toBe(false);
});

test("no value of a configuration is ever quoted", () => {
  expect(problemsOf({ command: "x", env: { TOKEN: 5 }, args: ["canary\0"] })).not.toMatch(
    /canary|\b5\b/,
  );
});

test("the defaults are those of the schema alone", () => {
  const parsed = parseServerConfig({ command: "x" });

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
