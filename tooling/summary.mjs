// Counts what ran, from the reports on disk, for the closing line of the verification.
import { existsSync, readFileSync } from "node:fs";

/** Totals of one vitest JSON report; undefined where the run left none (then the stage counts as one check). */
export function countTests(file) {
  if (!existsSync(file)) return undefined;
  const report = JSON.parse(readFileSync(file, "utf8"));
  const brokenFiles = report.testResults.filter(
    (suite) => suite.status === "failed" && suite.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Requirements that are not built yet count as skipped, so that nobody mistakes the line for completeness. */
export function countPending() {
  return JSON.parse(readFileSync("test-e2e/requirements/pending.json", "utf8")).length;
}

export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
