/** Something of this package that runs: how to end it in good order, and at once. */
export interface Running {
  stop(): Promise<unknown>;
  /** Synchronous: called while this process exits. */
  killNow(): void;
}

const running = new Set<Running>();

/** Ends every run and process of this package and waits until all are gone. Bins call it on TERM, INT and HUP. */
export async function killAllRunning(): Promise<void> {
  await Promise.all([...running].map((entry) => entry.stop()));
}

/** Notes a run; `exit` is hooked only while there is one. Returns the way to take the note back. */
export function noteRunning(entry: Running): () => void {
  if (running.size === 0) process.on("exit", killAllNow);
  running.add(entry);
  return () => {
    running.delete(entry);
    if (running.size === 0) process.off("exit", killAllNow);
  };
}

function killAllNow(): void {
  for (const entry of running) entry.killNow();
}
