import { ProtocolError } from "./errors.ts";

/** A number a caller may set, with what it is when they do not. */
export interface Limit {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every bound of this package that a caller may move. */
export const limits = {
  maxBytes: { default: 4 * MIB, min: KIB, max: 256 * MIB },
  maxDepth: { default: 64, min: 1, max: 64 },
  maxValues: { default: 200_000, min: 1, max: 2_000_000 },
  maxFrameBytes: { default: 4 * MIB, min: 1, max: 256 * MIB },
  maxDiscardBytes: { default: 256 * MIB, min: 1, max: Number.MAX_SAFE_INTEGER },
  maxQueuedBytes: { default: 16 * MIB, min: 1, max: Number.MAX_SAFE_INTEGER },
  maxInFlight: { default: 64, min: 1, max: 1_024 },
  stallMs: { default: 30_000, min: 1, max: 3_600_000 },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof limits;

/** The value of an option, or its default. @throws ProtocolError invalid_option outside its bounds. */
export function limitOf(name: LimitName, value: number | undefined): number {
  const limit = limits[name];
  if (value === undefined) return limit.default;
  if (Number.isInteger(value) && value >= limit.min && value <= limit.max) return value;
  const bounds = `${String(limit.min)}..${String(limit.max)}`;
  throw new ProtocolError(
    "invalid_option",
    `${name} must be an integer in ${bounds}, is ${value}.`,
  );
}
