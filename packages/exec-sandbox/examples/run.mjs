// Runs one command and prints what became of it:
//   node --conditions=@postern/source examples/run.mjs [--timeout MS] [--cap BYTES] -- CMD [ARG...]
import { parseArgs } from "node:util";
import {
  buildEnvironment,
  openDirectory,
  renderCaptured,
  resolveExecutable,
  runCommand,
} from "@postern/exec-sandbox";

const { values, positionals } = parseArgs({
  options: { timeout: { type: "string" }, cap: { type: "string" } },
  allowPositionals: true,
});
const [name = "", ...args] = positionals;
const searchPath = process.env.PATH ?? "/usr/bin:/bin";

const resolved = await resolveExecutable(name, { searchPath });
const opened = await openDirectory(process.cwd());
if (resolved.kind === "refused" || opened.kind === "refused") {
  console.error({ executable: resolved, directory: opened });
  process.exit(2);
}
await using directory = opened.directory;
const env = buildEnvironment({ source: process.env, inherit: [], searchPath });
const { stdout, stderr, ...outcome } = await runCommand(
  { executable: resolved.executable, args, directory, env },
  {
    ...(values.timeout && { timeoutMs: Number(values.timeout) }),
    ...(values.cap && { outputCapBytes: Number(values.cap) }),
  },
);
console.log(outcome);
for (const [stream, captured] of Object.entries({ stdout, stderr })) {
  if (captured) console.log(`${stream}: ${captured.totalBytes} bytes\n${renderCaptured(captured)}`);
}
