/** The shells whose command line this program can write. */
export type ShellDialect = "posix" | "zsh" | "fish";

/** The dialects by the name of the program in the pane. */
const dialects = new Map<string, ShellDialect>([
  ...["sh", "bash", "dash", "ash", "ksh", "mksh"].map((name) => [name, "posix"] as const),
  ["zsh", "zsh"],
  ["fish", "fish"],
]);

/** The shells that read a line as the terminal's line mode hands it over. */
const withoutLineEditor: ReadonlySet<string> = new Set(["sh", "dash", "ash"]);

/** The name of a shell without its path and the dash of a login shell. */
export function shellName(command: string): string {
  return command.slice(command.lastIndexOf("/") + 1).replace(/^-/, "");
}

/** The dialect of the shell that runs in a pane, or undefined for any other program. */
export function shellDialect(command: string): ShellDialect | undefined {
  return dialects.get(shellName(command));
}

/** Whether a shell of this name usually has no line editor of its own. */
export function lacksLineEditor(command: string): boolean {
  return withoutLineEditor.has(shellName(command));
}

/** A line to type, and the text it ends with: where that stands on the screen, the output begins behind it. */
export interface TypedLine {
  readonly text: string;
  readonly end: string;
}

/**
 * The line that runs `command` in the shell itself and then prints `[postern:<marker>:<status>]`. The line
 * never contains what it prints. `command` (the builtin) keeps an error in `eval` from ending a POSIX
 * shell; the space inside the quotes keeps a leading hyphen from being an option of `eval`.
 */
export function markerLine(dialect: ShellDialect, command: string, marker: string): TypedLine {
  const { evaluate, status } = words[dialect];
  const end = `${marker} ${status}`;
  const text = ` ${evaluate} ${onOneLine(dialect, ` ${command}`)}; printf '[postern:%s:%s]\\n' ${end}`;
  return { text, end };
}

const words = {
  posix: { evaluate: "command eval", status: '"$?"' },
  zsh: { evaluate: "eval", status: '"$?"' },
  fish: { evaluate: "eval", status: "$status" },
} as const;

/** Characters that take more, fewer or other columns in a line editor than in tmux, so that the line would garble. */
const oddWidth = /[\p{Cf}\p{M}\p{Emoji_Presentation}]/gu;

/**
 * Quotes a command without a newline, which a shell without line editor would answer with prompts of its own,
 * without a tab, which a line editor would complete, and without characters of odd width: the shell makes them itself.
 */
function onOneLine(dialect: ShellDialect, command: string): string {
  const quote = dialect === "fish" ? quoteFish : quotePosix;
  if (!/[\n\t]/.test(command) && command.search(oddWidth) === -1) return quote(command);
  const escaped = command
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    // The bash 3.2 of macOS expands history even between these quotes.
    .replaceAll("!", "\\0041")
    .replaceAll(oddWidth, octalBytes);
  return dialect === "fish"
    ? `(printf %b ${quote(escaped)} | string collect)`
    : `"$(printf %b ${quote(escaped)})"`;
}

/** The UTF-8 bytes of a character as `printf %b` takes them. */
function octalBytes(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
}

function quotePosix(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Between the single quotes of fish a backslash counts before a quote and before another backslash. */
function quoteFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
