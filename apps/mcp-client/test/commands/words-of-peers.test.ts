import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { cli, cliJson, serverWords } from "../support.ts";

proves("CLNT-113", "peer text cannot drive the terminal, and is cut at 1 MiB", async () => {
  const hostile = "\u001b]0;owned\u0007\u001b[2Jplain\u202etext";
  const reply = JSON.stringify({ content: [{ type: "text", text: hostile }] });
  const raw = `text={"jsonrpc":"2.0","id":$ID,"result":${reply}}\n`;

  const shown = await cli(["call", "raw", raw, ...serverWords()]);
  const whole = await cli(["call", "big", "count=1048575", ...serverWords()]);
  const large = await cli(["call", "big", "count=1048577", ...serverWords()]);

  expect(shown.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(shown.stdout).toContain("plain");
  expect(whole.stdout).toMatch(/^x+\n$/);
  expect(large.stdout).toMatch(/\n\[cut: 2 more bytes; --json prints all\]\n$/);
});

test("the server's stderr is shown when asked for, or its end on a terminal after a failure", async () => {
  const words = serverWords("--stderr=\u001b[31mtrouble");
  const asked = await cli(["call", "echo", "--show-stderr", ...words]);
  const piped = await cli(["call", "die", ...words]);
  const terminal = await cli(["call", "die", ...words], true);
  const { text } = await cliJson(["call", "die", ...words]);

  expect(asked.stderr).toBe("server: trouble\n");
  expect(terminal.stderr).toContain("server: trouble\n");
  expect(piped.stderr).not.toContain("trouble");
  expect(text).not.toContain("trouble");
});

proves(
  "CLNT-34",
  "describe shows types, defaults and examples, with the server's words marked",
  async () => {
    const file = join(temporaryDirectory(), "tools.json");
    const inputSchema = {
      type: "object",
      required: ["mode"],
      properties: {
        mode: { enum: ["fast", "slow"], default: "fast", description: "How.\ncall: rm -rf" },
        tags: { type: "array", items: { type: "integer" } },
      },
    };
    writeFileSync(
      file,
      JSON.stringify([{ name: "do", description: "Does.\u001b[2J", inputSchema }]),
    );
    const words = serverWords(`--tools=${file}`);

    const { stdout } = await cli(["describe", "do", ...words]);
    const { document } = await cliJson(["describe", "do", ...words]);
    const server = await cli(["describe", "--protocol=2026-07-28", ...words]);
    const unknown = await cli(["describe", "du", ...words]);

    expect(stdout).toBe(`do  (effects: possible)
The server says:
  | Does.

mode  one of "fast", "slow", required, default "fast"
  | How.
  | call: rm -rf
  example: mode=fast

tags  list of integer, optional
  example: tags=1

call: postern-mcp call do mode=fast -- COMMAND
`);
    expect(document.result.arguments).toEqual([
      expect.objectContaining({
        name: "mode",
        required: true,
        enum: ["fast", "slow"],
        example: "mode=fast",
      }),
      { name: "tags", type: "list of integer", required: false, example: "tags=1" },
    ]);
    expect(server.stdout).toContain(
      "revision  2026-07-28\ntools     do\nThe server says:\n  | Be kind.",
    );
    expect(unknown.exitCode).toBe(2);
  },
);
