// Primary result codes, https://www.sqlite.org/rescode.html
const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOTADB = 26;
/** READONLY, NOMEM, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB: the store itself is in trouble. */
const FATAL: ReadonlySet<number> = new Set([7, 8, 10, CORRUPT, 13, 14, NOTADB]);

/** The engine's primary result code, or undefined for an error that is not the engine's. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

/** Another connection holds the lock; nothing was written. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === BUSY || code === LOCKED;
}

export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === CORRUPT || code === NOTADB;
}

/** The statement did not merely fail: nothing more can be trusted to reach the disk. */
export function isFatal(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === undefined || FATAL.has(code);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
