import type { OutputListener } from "./output-feed.ts";
import type { SandboxTier } from "./preflight.ts";
import type { SurvivorPolicy } from "./tree-end.ts";

export interface RunOptions {
  /** Time from the spawn to TERM. @default 30000 (50..600000) */
  readonly timeoutMs?: number;
  /** Time from TERM to KILL. @default 500 (0..10000) */
  readonly graceMs?: number;
  /** Most bytes kept of both streams together. @default 1 MiB (1 KiB..4 MiB) */
  readonly outputCapBytes?: number;
  /** Over the cap: go on reading and counting, or end the run. @default "drain" */
  readonly onOverflow?: "drain" | "kill";
  /** @default "none" */
  readonly tier?: SandboxTier;
  /**
   * What becomes of processes that outlive the program. With `leave` nothing is marked or searched, and only the
   * direct child is ever signalled. @default "kill"
   */
  readonly survivors?: SurvivorPolicy;
  readonly signal?: AbortSignal;
  /** Text as it arrives, up to the cap; must not throw. */
  readonly onOutput?: OutputListener;
  readonly onStarted?: (pid: number) => void;
}

export interface RunLimits {
  readonly timeoutMs: number;
  readonly graceMs: number;
  readonly outputCapBytes: number;
  readonly onOverflow: "drain" | "kill";
  readonly tier: SandboxTier;
  readonly survivors: SurvivorPolicy;
}

/** Applies the defaults; undefined when a value is outside its bounds. */
export function runLimits(options: RunOptions): RunLimits | undefined {
  const limits: RunLimits = {
    timeoutMs: options.timeoutMs ?? 30_000,
    graceMs: options.graceMs ?? 500,
    outputCapBytes: options.outputCapBytes ?? 1024 * 1024,
    onOverflow: options.onOverflow ?? "drain",
    tier: options.tier ?? "none",
    survivors: options.survivors ?? "kill",
  };
  const inBounds =
    isWithin(limits.timeoutMs, 50, 600_000) &&
    isWithin(limits.graceMs, 0, 10_000) &&
    isWithin(limits.outputCapBytes, 1024, 4 * 1024 * 1024);
  return inBounds ? limits : undefined;
}

/** Whether a number is whole and inside inclusive bounds. */
export function isWithin(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}
