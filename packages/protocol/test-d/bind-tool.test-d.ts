import { defineTool } from "@postern/protocol";
import { bindTool } from "@postern/protocol/server";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const shared = { title: "t", description: "d", errors: {} } as const;
const id = z.uuid();
const read = defineTool({
  ...shared,
  name: "read_it",
  effect: "read",
  input: z.strictObject({ lines: z.int().default(1) }),
  output: z.strictObject({ text: z.string() }),
});
const write = defineTool({
  ...shared,
  name: "write_it",
  effect: "write",
  input: z.strictObject({ requestId: id.optional() }),
  output: z.strictObject({ requestId: id }),
  requestId: "optional",
});

test("a handler's arguments and output follow the contract", () => {
  bindTool(read, async (args) => {
    expectTypeOf(args).toEqualTypeOf<{ lines: number }>();
    return { text: "" };
  });
  // @ts-expect-error The output lacks its text.
  bindTool(read, async () => ({}));
});

test("only a contract with a requestId promises one", () => {
  bindTool(write, async (args, context) => {
    expectTypeOf(args.requestId).toEqualTypeOf<string | undefined>();
    expectTypeOf(context.requestId).toEqualTypeOf<string>();
    return { requestId: context.requestId };
  });
  bindTool(read, async (_args, context) => {
    // @ts-expect-error A read tool has no requestId.
    return { text: context.requestId };
  });
});
