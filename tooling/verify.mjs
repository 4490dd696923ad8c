// Everything the pipeline checks, in order, with one closing line: N passed, N failed, N skipped.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { closingLine, countPending, countTests } from "./summary.mjs";

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
rmSync(".verify", { recursive: true, force: true });
mkdirSync(".verify");

const report = (name) => [
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=.verify/${name}.json`,
];

/** Each stage is one program; a stage with `tests` is counted by its tests, any other as one check. */
const stages = [
  { name: "format", argv: ["oxfmt", "--check", "."] },
  { name: "lint", argv: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "types", argv: ["tsc", "-p", "tsconfig.json"] },
  { name: "unused code", argv: ["knip", "--no-progress"] },
  { name: "build", argv: ["turbo", "run", "build", "--output-logs=errors-only"], needed: true },
  {
    name: "tests",
    argv: ["vitest", "run", "--project=!coverage", ...report("tests")],
    tests: "tests",
  },
  {
    name: "requirements",
    argv: ["vitest", "run", "--project=coverage", ...report("coverage")],
    tests: "coverage",
  },
  { name: "documentation", argv: ["pnpm", "run", "--silent", "docs:check"] },
  { name: "packages", argv: ["pnpm", "run", "--silent", "pack:check"] },
];

const totals = { passed: 0, failed: 0, skipped: countPending() };
const failures = [];
for (const stage of stages) {
  console.log(`\n== ${stage.name}: ${stage.argv.join(" ")}`);
  const ok = (await run(stage.argv)) === 0;
  const counts = stage.tests ? countTests(`.verify/${stage.tests}.json`) : undefined;
  totals.passed += counts ? counts.passed : Number(ok);
  totals.failed += counts ? Math.max(counts.failed, Number(!ok)) : Number(!ok);
  totals.skipped += counts ? counts.skipped : 0;
  if (!ok) failures.push(stage.name);
  if (!ok && stage.needed) break;
}

console.log(failures.length === 0 ? "\nEvery stage passed." : `\nFailed: ${failures.join(", ")}.`);
console.log(closingLine(totals));
process.exitCode = failures.length === 0 ? 0 : 1;

function run(argv) {
  const env = { ...process.env, PATH: `${process.cwd()}/node_modules/.bin:${process.env.PATH}` };
  const child = spawn(argv[0], argv.slice(1), { stdio: "inherit", env });
  const forward = (signal) => child.kill(signal);
  process.once("SIGTERM", forward).once("SIGHUP", forward).once("SIGINT", forward);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(done(127, error)));
    child.on("exit", (code, signal) => {
      done();
      if (signal === null) resolve(code);
      else process.exit(130);
    });
  });

  function done(code, error) {
    for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) process.removeListener(signal, forward);
    if (error) console.error(error.message);
    return code;
  }
}
