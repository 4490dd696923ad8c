import type { Measured } from "./race.ts";

/** What a suite measured, and how that compares with what was promised. */
export interface SuiteResult {
  readonly suite: string;
  /** What the ratios of the table are ratios to. */
  readonly floor: string;
  readonly measured: readonly Measured[];
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
}

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number;
  /** @default "most" */
  readonly bound?: "most" | "least";
}

export interface SuiteOptions {
  /** Measured rounds; each suite has its own default. */
  readonly rounds?: number;
}

export function isMet({ value, limit, bound = "most" }: Figure): boolean {
  return bound === "most" ? value <= limit : value >= limit;
}

/** Reads one number of one contender; a contender that did not run makes every figure it stands in NaN, so missed. */
export function reader(measured: ReadonlyMap<string, Measured>) {
  return (name: string, key: "minMs" | "p50Ms" | "p95Ms" | "cpuMs" | "rssMiB" = "p50Ms"): number =>
    measured.get(name)?.[key] ?? Number.NaN;
}
