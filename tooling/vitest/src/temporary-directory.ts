import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A fresh 0700 directory with a short real path, removed when the running test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), "pt-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
