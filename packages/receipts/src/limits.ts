import { ReceiptsError } from "./errors.ts";

export interface ReceiptLimits {
  /** @default 128 (1..1_000_000) */
  readonly maxReceipts?: number;
  /** @default maxReceipts */
  readonly maxReceiptsPerPrincipal?: number;
  /** Receipts kept for ids that this side minted, beside `maxReceipts`. @default 10_000 */
  readonly maxMinted?: number;
  /** A larger result is answered once and kept as length, hash and summary. @default 65_536 (1 KiB..8 MiB) */
  readonly maxResultBytes?: number;
  /** Stored results together; beyond it the oldest are reduced to length, hash and summary. @default 256 MiB */
  readonly maxStoreBytes?: number;
  /** How long a repeat waits for the first call. @default 30_000 (0..300_000) */
  readonly joinMs?: number;
  /** `fenced` makes room by dropping old receipts whose ids are refused from then on. @default "never" */
  readonly eviction?: "never" | "fenced";
}

export type ResolvedLimits = Required<ReceiptLimits>;

const bounds = {
  maxReceipts: [1, 1_000_000],
  maxReceiptsPerPrincipal: [1, 1_000_000],
  maxMinted: [1, 1_000_000],
  maxResultBytes: [1_024, 8 * 1_024 * 1_024],
  maxStoreBytes: [0, Number.MAX_SAFE_INTEGER],
  joinMs: [0, 300_000],
} as const;

/** Applies the defaults and throws `invalid_limits` for a value out of bounds. */
export function resolveLimits(limits: ReceiptLimits = {}): ResolvedLimits {
  const maxReceipts = limits.maxReceipts ?? 128;
  const resolved: ResolvedLimits = {
    maxReceipts,
    maxReceiptsPerPrincipal: limits.maxReceiptsPerPrincipal ?? maxReceipts,
    maxMinted: limits.maxMinted ?? 10_000,
    maxResultBytes: limits.maxResultBytes ?? 65_536,
    maxStoreBytes: limits.maxStoreBytes ?? 256 * 1_024 * 1_024,
    joinMs: limits.joinMs ?? 30_000,
    eviction: limits.eviction ?? "never",
  };
  for (const name of Object.keys(bounds) as (keyof typeof bounds)[]) {
    const [low, high] = bounds[name];
    const value = resolved[name];
    if (!Number.isSafeInteger(value) || value < low || value > high) {
      throw new ReceiptsError(
        "invalid_limits",
        `${name} must be a whole number from ${String(low)} to ${String(high)}; found ${String(value)}.`,
      );
    }
  }
  return resolved;
}
