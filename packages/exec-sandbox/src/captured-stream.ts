import { isUtf8 } from "node:buffer";
import type { OutputWindow } from "./output-window.ts";

/** What was kept of one stream. `totalBytes` is always `headBytes + omittedBytes + tailBytes`. */
export interface CapturedStream {
  /** The beginning, or everything when nothing was omitted. */
  readonly head: string;
  /** The end; empty when nothing was omitted. */
  readonly tail: string;
  readonly headBytes: number;
  readonly tailBytes: number;
  readonly totalBytes: number;
  readonly omittedBytes: number;
  readonly truncated: boolean;
  /** `utf-8-replaced` when some kept bytes were no UTF-8 and show as U+FFFD. */
  readonly encoding: "utf-8" | "utf-8-replaced";
  /** The kept bytes as they came. */
  bytes(): { readonly head: Uint8Array; readonly tail: Uint8Array };
}

/**
 * Shares a cap between two streams by their lengths alone: each is sure of half, and what one leaves unused
 * the other gets. An odd byte goes to the first.
 */
export function allot(cap: number, first: number, second: number): readonly [number, number] {
  const half = Math.ceil(cap / 2);
  const toFirst = Math.min(first, Math.max(half, cap - second));
  return [toFirst, Math.min(second, cap - toFirst)];
}

/** Keeps `allotted` bytes of a window: all of it, or half as head and half as tail, cut between characters. */
export function captureWindow(window: OutputWindow, allotted: number): CapturedStream {
  if (window.total <= allotted)
    return captured(window.first(allotted), Buffer.alloc(0), window.total);
  const headLength = Math.ceil(allotted / 2);
  return captured(
    withoutCutEnd(window.first(headLength)),
    withoutCutStart(window.last(allotted - headLength)),
    window.total,
  );
}

/** Keeps the last `allotted` bytes of a window, as tail even when nothing was omitted. */
export function captureTail(window: OutputWindow, allotted: number): CapturedStream {
  const kept = window.last(allotted);
  const tail = window.total > kept.length ? withoutCutStart(kept) : kept;
  return captured(Buffer.alloc(0), tail, window.total);
}

/** The kept text with `[N bytes omitted]` on a line of its own where bytes are missing. */
export function renderCaptured(stream: CapturedStream): string {
  if (!stream.truncated) return stream.head + stream.tail;
  const { head, tail, omittedBytes } = stream;
  const gap = head === "" || head.endsWith("\n") ? "" : "\n";
  return `${head}${gap}[${String(omittedBytes)} bytes omitted]\n${tail}`;
}

function captured(head: Buffer, tail: Buffer, totalBytes: number): CapturedStream {
  const omittedBytes = totalBytes - head.length - tail.length;
  return {
    head: head.toString("utf8"),
    tail: tail.toString("utf8"),
    headBytes: head.length,
    tailBytes: tail.length,
    totalBytes,
    omittedBytes,
    truncated: omittedBytes > 0,
    encoding: isUtf8(head) && isUtf8(tail) ? "utf-8" : "utf-8-replaced",
    bytes: () => ({ head, tail }),
  };
}

/** Drops a character that the cut left without its last bytes. */
function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Drops the last bytes of a character whose first byte was cut off. */
function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && start < bytes.length && isContinuation(bytes[start] ?? 0)) start += 1;
  return bytes.subarray(start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead < 0xf8) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xc0 && lead < 0xe0 ? 2 : 1;
}
