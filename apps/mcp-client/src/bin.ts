#!/usr/bin/env node
import { run } from "./cli.ts";

let lost: NodeJS.ErrnoException | undefined;
process.stdout.on("error", (error) => (lost = error));
process.stderr.on("error", () => undefined);

const exitCode = await run(process.argv.slice(2), {
  stdout: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
  stderr: (text) => void process.stderr.write(text),
  stderrIsTerminal: process.stderr.isTTY,
});
// A reader that goes away early changes no exit code; a result that could not be written does.
if (lost === undefined || lost.code === "EPIPE") process.exit(exitCode);
process.stderr.write(`The result could not be written to standard output: ${lost.code}.\n`);
process.exit(exitCode === 0 ? 8 : exitCode);
