import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clientSuite } from "./client-suite.ts";
import { packagesSuite } from "./packages-suite.ts";
import { publication, type Results } from "./publication.ts";
import { suiteTables, thisMachine } from "./report.ts";
import type { SuiteOptions, SuiteResult } from "./suite.ts";
import { tmuxSuite } from "./tmux-suite.ts";

const SUITES: Readonly<Record<string, (o: SuiteOptions) => Promise<SuiteResult>>> = {
  client: clientSuite,
  tmux: tmuxSuite,
  packages: packagesSuite,
};
const USAGE = `pnpm bench [--suite ${Object.keys(SUITES).join("|")}]... [--rounds N] [--json] [--write]`;
const folder = join(import.meta.dirname, "../../../docs/benchmarks");

const { values } = parseArgs({
  options: {
    suite: { type: "string", multiple: true, default: Object.keys(SUITES) },
    rounds: { type: "string" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
const unknown = values.suite.find((name) => !Object.hasOwn(SUITES, name));
if (unknown !== undefined || (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))) {
  console.error(USAGE);
  process.exit(2);
}

const taken: Results = {};
for (const name of values.suite) {
  const machine = thisMachine();
  const result = await SUITES[name]?.(rounds === undefined ? {} : { rounds });
  if (result === undefined) continue;
  taken[name] = { ...result, machine };
  if (!values.json) console.log(suiteTables(result));
}
if (values.json) console.log(JSON.stringify(taken, undefined, 2));
if (values.write) {
  mkdirSync(folder, { recursive: true });
  // A suite that did not run now keeps its figures.
  const before = join(folder, "results.json");
  const earlier = existsSync(before) ? (JSON.parse(readFileSync(before, "utf8")) as Results) : {};
  for (const [name, text] of publication({ ...earlier, ...taken })) {
    writeFileSync(join(folder, name), text);
  }
}
