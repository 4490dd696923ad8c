import type { ResolvedLimits } from "./limits.ts";

export interface FillWarning {
  readonly percent: 75 | 90 | 100;
  readonly used: number;
  readonly max: number;
}

const LEVELS = [100, 90, 75] as const;

/** Calls `warn` once for each level that a store which evicts nothing reaches. */
export function fillWarnings(
  { maxReceipts: max, eviction }: ResolvedLimits,
  warn: (warning: FillWarning) => void,
): (used: number) => void {
  let warned = 0;
  return (used) => {
    const percent = LEVELS.find((level) => used * 100 >= max * level);
    if (eviction !== "never" || percent === undefined || percent <= warned) return;
    warned = percent;
    warn({ percent, used, max });
  };
}
