import { defineTool } from "@postern/protocol";
import {
  bindTool,
  createServerFactory,
  type ServerFactoryOptions,
  type ToolBinding,
  type ToolServerFactory,
} from "@postern/protocol/server";
import { z } from "zod";

const requestId = z.uuid().describe("Runs the effect at most once");

/** A read tool with a nested input, for what may be wrong with arguments. */
export const readNote = defineTool({
  name: "read_note",
  title: "Read a note",
  description: "Returns a note. Use it to read one. It changes nothing, and never fails by itself.",
  effect: "read",
  input: z.strictObject({
    name: z.string().max(20).describe("Which note"),
    lines: z.int().min(1).max(100).default(10).describe("How many lines"),
    where: z
      .array(z.strictObject({ word: z.string().max(9).describe("A word") }))
      .max(3)
      .optional()
      .describe("Words it holds"),
  }),
  output: z.strictObject({ text: z.string().max(100).describe("The note") }),
  errors: { note_not_found: "No note has that name." },
});

/** A write tool whose caller may leave the requestId out. */
export const writeNote = defineTool({
  name: "write_note",
  title: "Write a note",
  description: "Writes a note. Use it to keep something. It replaces what the note held before.",
  effect: "write",
  input: z.strictObject({
    text: z.string().max(100).default("empty").describe("What to write"),
    requestId: requestId.optional(),
  }),
  output: z.strictObject({ requestId }),
  errors: {},
  requestId: "optional",
});

/** A destroying tool. */
export const dropNote = defineTool({
  name: "drop_note",
  title: "Drop a note",
  description: "Throws a note away for good. Use it when nobody needs it. It cannot be undone.",
  effect: "destroy",
  input: z.strictObject({ requestId }),
  output: z.strictObject({ requestId }),
  errors: {},
});

/** A factory of these tools, with every effect on and the schemas of answers enforced. */
export function serve(
  tools: readonly ToolBinding[],
  options: Partial<ServerFactoryOptions> = {},
): ToolServerFactory {
  return createServerFactory({
    name: "notes",
    version: "1.2.3",
    tools: () => tools,
    enabledEffects: () => new Set(["read", "write", "destroy"]),
    strictOutput: true,
    log: () => undefined,
    ...options,
  });
}

/** `read_note`, answering `text` at once. */
export function answering(text: string): ToolBinding {
  return bindTool(readNote, async () => ({ text }));
}

/** `read_note`, held until the test lets it go; tells whether it was aborted. */
export function holding(): {
  readonly binding: ToolBinding;
  readonly started: string[];
  readonly aborted: string[];
  release(): void;
} {
  const started: string[] = [];
  const aborted: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    started,
    aborted,
    release: () => waiting.splice(0).forEach((resolve) => resolve()),
    binding: bindTool(readNote, async ({ name }, { signal }) => {
      started.push(name);
      signal.addEventListener("abort", () => aborted.push(name));
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { text: name };
    }),
  };
}
