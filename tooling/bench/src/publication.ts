import { suiteChart } from "./chart.ts";
import { suiteTables, type Machine } from "./report.ts";
import type { SuiteResult } from "./suite.ts";

/** What `docs/benchmarks/results.json` holds, by suite. */
export type Results = Record<string, SuiteResult & { readonly machine: Machine }>;

const HEAD = `# Benchmarks

Written by \`pnpm bench --write\`; do not edit. The contenders of a suite run in turn, round by round, so that a busy
moment of the machine falls on all of them; two rounds of warm-up are dropped. Figures that were promised and missed
stay here, marked so. A figure is a ratio within one run wherever that says more than a time.
`;

/** The published files, by name: the measured data, one page and one chart for each suite. */
export function publication(results: Results): ReadonlyMap<string, string> {
  const files = new Map([["results.json", `${JSON.stringify(results, undefined, 2)}\n`]]);
  const parts = Object.values(results).map((result) => {
    files.set(`${result.suite}.svg`, suiteChart(result));
    return `${suiteTables(result)}\n![${result.suite}](${result.suite}.svg)\n\n${where(result.machine)}\n`;
  });
  return files.set("README.md", [HEAD, ...parts].join("\n"));
}

function where({ takenAt, node, system, processor, cores, loadAtStart }: Machine): string {
  const machine = `${String(cores)} cores of ${processor}`;
  return `${takenAt.slice(0, 10)}, Node ${node}, ${system}, ${machine}, load ${loadAtStart.toFixed(1)} at the start.`;
}
