import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { proves } from "@postern/testing";
import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  double,
  oneof,
  option,
  property,
  record,
  string,
  type Arbitrary,
} from "fast-check";
import { safeParse } from "valibot";
import { expect } from "vitest";
import { httpConfigSchema, serverConfigSchema } from "../../src/config/http-schema.ts";
import { stdioConfigSchema } from "../../src/config/schema.ts";

const published = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../schema/mcp-client.schema.json"), "utf8"),
);
const FIELDS = [
  ...new Set([...Object.keys(stdioConfigSchema.entries), ...Object.keys(httpConfigSchema.entries)]),
];
const BOUNDS = [
  -1, 0, 1, 64, 99, 100, 499, 500, 999, 1_000, 4_096, 60_000, 60_001, 600_000, 3_600_000,
];

const text = oneof(
  constantFrom("", "x", "a\0", "/abs", "C:\\x", "rel", "A=B", "2025-11-25", "auto", "2025-06-18"),
  string(),
  integer({ min: 4_090, max: 4_100 }).map((length) => "a".repeat(length)),
);
const source = oneof(
  record({ env: text }),
  record({ file: text }),
  record({ env: text, file: text }),
  record({ setting: text }),
  record({ storeName: text }),
);
const values: Arbitrary<unknown> = oneof(
  { weight: 4, arbitrary: text },
  { weight: 4, arbitrary: constantFrom(...BOUNDS) },
  integer(),
  double(),
  boolean(),
  constant(null),
  array(text, { maxLength: 3 }),
  integer({ min: 254, max: 258 }).map((length) => Array.from({ length }, () => "a")),
  dictionary(text, text, { maxKeys: 3 }),
  dictionary(text, source, { maxKeys: 2 }),
  source,
);
const fields = dictionary(constantFrom(...FIELDS, "unknown"), values, { maxKeys: 4 });
const target = record({ command: option(text), url: option(text) }).map((both) =>
  Object.fromEntries(Object.entries(both).filter(([, value]) => value !== null)),
);

proves(
  "CLNT-20",
  "the published JSON Schema accepts exactly the configurations that this program's own schema does",
  () => {
    const ajv = new Ajv2020({ strict: false });
    const accepts = ajv.compile(published.properties.servers.additionalProperties);
    let accepted = 0;

    assert(
      property(target, fields, (base, more) => {
        const config = { ...more, ...base };
        const own = safeParse(serverConfigSchema, config).success;
        if (own) accepted += 1;
        expect([config, accepts(config)]).toEqual([config, own]);
      }),
      { numRuns: 20_000 },
    );

    // A comparison of refusals alone would prove little.
    expect(accepted).toBeGreaterThan(500);
  },
);
