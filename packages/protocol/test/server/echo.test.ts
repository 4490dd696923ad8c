import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@postern/protocol";
import { eventually, proves } from "@postern/testing";
import { expect, onTestFinished } from "vitest";
import { initialize, request } from "./pipe.ts";

/** The example as a program of its own. */
function startEcho() {
  const child = spawn(process.execPath, [
    "--conditions=@postern/source",
    fileURLToPath(new URL("../../examples/echo.mjs", import.meta.url)),
  ]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: JsonObject[] = [];
  createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const exited = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  return { child, lines, exited, log: () => log };
}

proves(
  ["PROTO-15", "PROTO-17"],
  "a bad line typed by hand gets its answer, and so does a piped request",
  async () => {
    const { child, lines, exited, log } = startEcho();

    child.stdin.end(
      [
        "hello?",
        JSON.stringify(initialize),
        JSON.stringify(
          request("2025-11-25", 1, "tools/call", { name: "echo_text", arguments: { text: "hi" } }),
        ),
        "",
      ].join("\n"),
    );

    expect(await exited).toBe(0);
    expect(lines).toMatchObject([
      { id: null, error: { code: -32700, data: { code: "not_json" } } },
      { id: "hello", result: { protocolVersion: "2025-11-25" } },
      { id: 1, result: { structuredContent: { text: "hi" } } },
    ]);
    expect(JSON.parse(log())).toMatchObject({ event: "serving_ended", kind: "end_of_input" });
  },
);

proves("PROTO-17", "an input that ends inside a line exits 1", async () => {
  const { child, exited } = startEcho();

  child.stdin.end('{"jsonrpc":"2.0"');

  expect(await exited).toBe(1);
});

proves("PROTO-17", "a reader that went away ends the program with exit 1", async () => {
  const { child, lines, exited, log } = startEcho();
  child.stdin.write(`${JSON.stringify(request("2025-11-25", 1, "ping"))}\n`);
  await eventually(() => lines.length === 1);

  child.stdout.destroy();
  child.stdin.on("error", () => undefined);
  child.stdin.write(`${JSON.stringify(request("2025-11-25", 2, "ping"))}\n`);

  expect(await exited).toBe(1);
  expect(JSON.parse(log())).toMatchObject({ kind: "output_broken" });
});
