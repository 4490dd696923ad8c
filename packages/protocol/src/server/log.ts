/** One log line: a level, a stable snake_case event name, and fields that hold no arguments and no secrets. */
export type Log = (
  level: "debug" | "info" | "warn" | "error",
  event: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

/** Writes JSON lines to stderr; used where the program injects no `log` of its own. */
export const stderrLog: Log = (level, event, fields) => {
  process.stderr.write(
    `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`,
  );
};
