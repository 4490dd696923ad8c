import type { LimitHit } from "../client/answer.ts";
import type { Attachment } from "./attachments.ts";

const MIB = 1_024 * 1_024;

export interface ContentLimits {
  /** @default 32 */
  readonly maxFiles?: number;
  /** @default 16 MiB */
  readonly maxFileBytes?: number;
  /** Of all files together. @default 64 MiB */
  readonly maxTotalBytes?: number;
}

/** A block that was not written because a limit was reached. */
export interface LeftOut {
  /** The place of the block in the reply's content. */
  readonly block: number;
  readonly bytes: number;
  readonly declaredType?: string;
  readonly limit: "maxFiles" | "maxFileBytes" | "maxTotalBytes";
}

/** Takes attachments in their order while they fit; what does not fit is listed, what comes after may still fit. */
export function applyLimits(
  attachments: readonly Attachment[],
  { maxFiles = 32, maxFileBytes = 16 * MIB, maxTotalBytes = 64 * MIB }: ContentLimits,
): { taken: Attachment[]; leftOut: LeftOut[]; hit: LimitHit | undefined } {
  const taken: Attachment[] = [];
  const leftOut: LeftOut[] = [];
  let hit: LimitHit | undefined;
  let total = 0;
  for (const attachment of attachments) {
    const { block, bytes, declaredType } = attachment;
    const over = [
      { name: "maxFiles", limit: maxFiles, seen: taken.length + 1 },
      { name: "maxFileBytes", limit: maxFileBytes, seen: bytes },
      { name: "maxTotalBytes", limit: maxTotalBytes, seen: total + bytes },
    ] as const;
    const broken = over.find(({ limit, seen }) => seen > limit);
    if (broken) {
      hit ??= broken;
      const declared = declaredType !== undefined && { declaredType };
      leftOut.push({ block, bytes, ...declared, limit: broken.name });
    } else {
      total += bytes;
      taken.push(attachment);
    }
  }
  return { taken, leftOut, hit };
}
