import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** Starts a fixture from source; it is killed when the running test ends. */
export function startFixture(name: string, ...args: readonly string[]) {
  const path = fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@postern/source", path, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit").then(([code]) => Number(code ?? -1));
  return { child, exited, firstLine: once(child.stdout.setEncoding("utf8"), "data") };
}
