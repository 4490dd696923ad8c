/**
 * Polls `condition` until it returns something truthy and resolves with it. A throw counts as "not yet";
 * at the deadline the last throw, or a sentence naming `what`, is the failure.
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  { what = "the condition", timeoutMs = 10_000, everyMs = 20 }: EventuallyOptions = {},
): Promise<Exclude<T, false | undefined | null>> {
  const deadline = performance.now() + timeoutMs;
  let lastFailure: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value as Exclude<T, false | undefined | null>;
    } catch (error) {
      lastFailure = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`${what} did not hold within ${String(timeoutMs)} ms.`, {
        cause: lastFailure,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

export interface EventuallyOptions {
  readonly what?: string;
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}
