import type { CapturedStream } from "./captured-stream.ts";
import type { SandboxTier } from "./preflight.ts";
import type { SpawnCode } from "./spawn-code.ts";
import type { TreeEnd } from "./tree-end.ts";

/** What is known of a run that started, however it ended. */
export interface Ran extends TreeEnd {
  readonly stdout: CapturedStream;
  readonly stderr: CapturedStream;
  readonly pid: number;
  /** Wall clock, ISO 8601, for display only. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Null when a signal ended the direct child, or when it did not end in time. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** A descendant still held an output pipe 250 ms after the direct child ended. */
  readonly pipesHeldOpen: boolean;
  readonly tier: SandboxTier;
}

/** How a run ended. `not_started` is certain; `lost` means that nobody can know whether it started. */
export type RunOutcome =
  | (Ran &
      (
        | { readonly kind: "exited"; readonly exitCode: number }
        | { readonly kind: "signaled"; readonly signal: string }
        | { readonly kind: "timed_out" | "cancelled" | "output_limit" }
      ))
  | { readonly kind: "not_started"; readonly code: SpawnCode }
  | { readonly kind: "lost"; readonly detail: string };
