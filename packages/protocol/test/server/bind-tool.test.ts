import { bindTool } from "@postern/protocol/server";
import { expect, expectTypeOf, test } from "vitest";
import { readNote, writeNote } from "./tools.ts";

test("a handler's arguments and output follow the contract", () => {
  const binding = bindTool(readNote, async (args) => {
    expectTypeOf(args.lines).toEqualTypeOf<number>();
    expectTypeOf(args.where).toEqualTypeOf<{ word: string }[] | undefined>();
    return { text: "" };
  });
  // @ts-expect-error The output lacks its text.
  bindTool(readNote, async () => ({}));

  expect(binding.contract).toBe(readNote);
});

test("only a contract with a requestId promises one", () => {
  const binding = bindTool(writeNote, async (args, context) => {
    expectTypeOf(args.requestId).toEqualTypeOf<string | undefined>();
    expectTypeOf(context.requestId).toEqualTypeOf<string>();
    return { requestId: context.requestId };
  });
  bindTool(readNote, async (_args, context) => {
    // @ts-expect-error A read tool has no requestId.
    return { text: context.requestId };
  });

  expect(binding.contract).toBe(writeNote);
});
