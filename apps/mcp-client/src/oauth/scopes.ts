export interface ScopeSources {
  /** What the caller asks for. */
  readonly asked: readonly string[] | undefined;
  /** What the server's challenge names. */
  readonly challenged: readonly string[] | undefined;
  /** What the resource lists. */
  readonly listed: readonly string[] | undefined;
  /** What an earlier login was given; a new one must not lose it. */
  readonly granted: readonly string[];
  /** What the authorization server lists. */
  readonly known: readonly string[] | undefined;
}

const OFFLINE = "offline_access";

/** The scopes a login asks for; none means that the server decides. */
export function scopesToAsk({ asked, challenged, listed, granted, known }: ScopeSources): string[] {
  const wanted = asked ?? challenged ?? listed ?? [];
  const all = new Set([...granted, ...wanted]);
  // Asking a server that does not know it would fail the whole login.
  if (known?.includes(OFFLINE)) all.add(OFFLINE);
  else all.delete(OFFLINE);
  return [...all];
}
