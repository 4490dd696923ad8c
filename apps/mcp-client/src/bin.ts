#!/usr/bin/env node
import { run } from "./cli.ts";

// A reader that goes away early changes no exit code.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

const exitCode = await run(process.argv.slice(2), {
  stdout: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
  stderr: (text) => void process.stderr.write(text),
  stderrIsTerminal: process.stderr.isTTY,
});
process.exit(exitCode);
