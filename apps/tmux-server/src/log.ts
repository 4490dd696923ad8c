/** How much is logged: each level includes the ones before it. */
export const logLevels = ["error", "warn", "info", "debug"] as const;

/** One of the log levels. */
export type LogLevel = (typeof logLevels)[number];

/** Writes one event with its fields; fields never hold text of a pane, arguments or secrets. */
export type Log = (
  level: LogLevel,
  event: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

export interface LogOptions {
  readonly level: LogLevel;
  readonly now: () => Date;
  /** Takes one finished line. */
  readonly write: (line: string) => void;
}

/** A log of JSON lines. */
export function createLog({ level: limit, now, write }: LogOptions): Log {
  return (level, event, fields) => {
    if (logLevels.indexOf(level) > logLevels.indexOf(limit)) return;
    write(`${JSON.stringify({ time: now().toISOString(), level, event, ...fields })}\n`);
  };
}
