import type { Command } from "./flags.ts";
import type { TokenBook } from "./token-book.ts";

/** Runs `token new`, `list` or `revoke` and resolves with the exit code. */
export async function tokenCommand(
  command: Extract<Command, { kind: "token" }>,
  book: TokenBook,
  { print, printError }: Record<"print" | "printError", (text: string) => void>,
): Promise<number> {
  switch (command.what) {
    case "new": {
      const token = await book.create(command.name, command.scope);
      printError("This token is shown only now. Send it as: Authorization: Bearer TOKEN\n");
      print(`${token.reveal()}\n`);
      return 0;
    }
    case "list": {
      const records = await book.list();
      const lines = records.map(({ subject, scopes, createdAt, lastUsedAt }) =>
        [
          subject.padEnd(24),
          scopes.join(",").padEnd(6),
          `made ${timeText(createdAt)}`,
          lastUsedAt === undefined ? "never used" : `used ${timeText(lastUsedAt)}`,
        ].join("  "),
      );
      print(lines.length === 0 ? "No tokens.\n" : `${lines.join("\n")}\n`);
      return 0;
    }
    case "revoke": {
      const ended = await book.revoke(command.name);
      if (ended === 0) printError(`There is no token named ${command.name}.\n`);
      else print(`${command.name}: revoked; it is refused from the next request on.\n`);
      return ended === 0 ? 1 : 0;
    }
  }
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
