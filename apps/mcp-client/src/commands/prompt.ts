import { StringDecoder } from "node:string_decoder";
import type { CommandContext } from "./context.ts";

const MAX_CHARS = 32 * 1_024;

/** Asks for a value on the terminal without showing it; undefined without a terminal or when the person gave up. */
export async function promptSecret(
  name: string,
  { hint }: CommandContext,
): Promise<string | undefined> {
  const { stdin } = process;
  if (!stdin.isTTY) return undefined;
  const decoder = new StringDecoder("utf8");
  let typed = "";
  stdin.setRawMode(true);
  hint(`Value of ${name} (it is not shown):`);
  try {
    return await new Promise<string | undefined>((resolve) => {
      stdin.on("data", (chunk: Buffer) => {
        for (const character of decoder.write(chunk)) {
          if (character === "\r" || character === "\n") resolve(typed === "" ? undefined : typed);
          // In raw mode Ctrl-C and Ctrl-D arrive as characters.
          else if (character === "\u0003" || character === "\u0004") resolve(undefined);
          else if (character === "\u007f" || character === "\b") typed = typed.slice(0, -1);
          else if (typed.length < MAX_CHARS) typed += character;
        }
      });
      stdin.once("end", () => resolve(undefined));
    });
  } finally {
    stdin.removeAllListeners("data");
    stdin.setRawMode(false);
    stdin.pause();
  }
}
