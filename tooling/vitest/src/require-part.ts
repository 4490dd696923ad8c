import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "vitest";

/**
 * Finds a program the running test needs and returns its path. Where it is missing the test fails under CI
 * and is skipped at a desk, with the line that installs it.
 */
export function requirePart(context: TestContext, program: string, installLine: string): string {
  for (const directory of (process.env["PATH"] ?? "").split(delimiter)) {
    const candidate = join(directory, program);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not in this directory; the next one may have it.
    }
  }
  const message = `${program} is not installed. To run this test: ${installLine}`;
  if (process.env["CI"]) throw new Error(message);
  process.stderr.write(`${message}\n`);
  return context.skip(message);
}
