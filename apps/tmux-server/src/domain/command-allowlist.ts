/** The commands that may be typed: `null` allows any, an empty list none. */
export type CommandAllowlist = readonly string[] | null;

/** Whether a command is, byte for byte, an entry. */
export function isAllowedCommand(command: string, allowlist: CommandAllowlist): boolean {
  return allowlist === null || allowlist.includes(command);
}

/** Whether a text is nothing but whole entries, each ended by a newline. */
export function isAllowedText(text: string, allowlist: CommandAllowlist): boolean {
  if (allowlist === null) return true;
  const lines = text.split("\n");
  return lines.pop() === "" && lines.every((line) => allowlist.includes(line));
}
