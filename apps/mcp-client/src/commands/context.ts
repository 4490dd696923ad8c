/** What a command is given besides its words. */
export interface CommandContext {
  /** Fires when the person interrupts. */
  readonly signal: AbortSignal;
  /** A line for people on stderr; nothing is written under `--quiet`. */
  readonly hint: (text: string) => void;
  /** A line on stderr that nothing would work without. */
  readonly say: (text: string) => void;
  readonly stderrIsTerminal: boolean;
}
