import { defineTool } from "@postern/protocol";
import { bindTool, createServerFactory, exitCodeOf, serveStdio } from "@postern/protocol/server";
import { z } from "zod";

const echo = defineTool({
  name: "echo_text",
  title: "Echo text",
  description:
    "Returns the text it was given. Use it to see that the connection works. It changes nothing.",
  effect: "read",
  input: z.strictObject({
    text: z.string().max(1_000).describe("What to say back"),
  }),
  output: z.strictObject({
    text: z.string().max(1_000).describe("What was said"),
  }),
  errors: {},
});

const end = await serveStdio(
  createServerFactory({
    name: "postern-echo",
    version: "1.0.0",
    tools: () => [bindTool(echo, async ({ text }) => ({ text }))],
    enabledEffects: () => new Set(["read"]),
  }),
);
process.exit(exitCodeOf(end));
