import { readFileSync } from "node:fs";
import { join } from "node:path";
import { proves } from "@postern/testing";
import { expect } from "vitest";
import { suiteChart } from "../src/chart.ts";
import { publication, type Results } from "../src/publication.ts";
import { suiteTables } from "../src/report.ts";
import type { SuiteResult } from "../src/suite.ts";

const result: SuiteResult = {
  suite: "sample",
  floor: "floor",
  measured: [
    { contender: "floor", runs: 12, minMs: 9, p50Ms: 10, p95Ms: 11, cpuMs: 8 },
    { contender: "postern <x>", runs: 12, minMs: 30, p50Ms: 35, p95Ms: 40.04 },
    { contender: "other", runs: 0, minMs: NaN, p50Ms: NaN, p95Ms: NaN, wrong: "said no" },
  ],
  figures: [
    { what: "call / floor", value: 3.5, unit: "x", limit: 3.4 },
    { what: "speed", value: 60, unit: "MB/s", limit: 50, bound: "least" },
    { what: "call / other", value: Number.NaN, unit: "x", limit: 1 },
  ],
  notes: ["One note."],
};

proves("QUAL-51", "a missed figure stays in the table, and a wrong answer is no figure", () => {
  const tables = suiteTables(JSON.parse(JSON.stringify(result)) as SuiteResult);

  expect(tables).toContain("| postern <x> | 12 | 30 | 35 | 40 | 3.5 |  |  |");
  expect(tables).toContain("| other | wrong answer | | | | | | |");
  expect(tables).toContain("| call / floor | 3.5 x | <= 3.4 x | **missed** |");
  expect(tables).toContain("| speed | 60 MB/s | >= 50 MB/s | met |");
  expect(tables).toContain("| call / other |  x | <= 1 x | not measured |");
});

proves("QUAL-51", "the chart shows each right answer once and follows light and dark", () => {
  const chart = suiteChart(result);

  expect(chart.match(/<rect/g)).toHaveLength(2);
  expect(chart).toContain("postern &lt;x&gt;");
  expect(chart).toContain("prefers-color-scheme: dark");
});

proves("QUAL-51", "what is published is what was measured", () => {
  const folder = join(import.meta.dirname, "../../../docs/benchmarks");
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const results = JSON.parse(read("results.json")) as Results;

  const files = publication(results);

  expect(Object.keys(results)).toEqual(expect.arrayContaining(["client", "tmux", "packages"]));
  for (const [name, text] of files) expect(read(name)).toBe(text);
});
