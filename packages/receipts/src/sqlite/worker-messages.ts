import type { ReceiptsErrorCode } from "../errors.ts";
import type { Job, JobResult } from "./executor.ts";
import type { StoreFault } from "./faults.ts";

export interface WorkerInput {
  readonly file: string;
  readonly fault?: StoreFault;
}

export type ToWorker =
  | { readonly kind: "jobs"; readonly jobs: readonly Job[] }
  | { readonly kind: "close" };

export type FromWorker =
  | { readonly kind: "opened"; readonly owner: string }
  | { readonly kind: "failed"; readonly code: ReceiptsErrorCode; readonly message: string }
  | {
      readonly kind: "results";
      readonly results: readonly JobResult[];
      readonly readOnly?: string;
    };
