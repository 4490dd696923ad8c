import type { Delivery } from "@postern/protocol";
import type {
  Detail,
  FailedOutcome,
  Outcome,
  Phase,
  ProcessTree,
  Sensitive,
  Warning,
} from "../outcome.ts";
import type { Link, Traffic } from "../transport/link.ts";
import type { Closed } from "./closing.ts";
import type { Failure } from "./failure.ts";

/** Collects the facts of one public operation and closes it with an Outcome. */
export class Account {
  phase: Phase;
  effects: Detail["effects"] = "none";
  requestId: string | undefined;
  revision: string | undefined;
  processTree: ProcessTree | undefined;
  readonly warnings: Warning[] = [];
  readonly #startedAt = performance.now();
  #link: Link | undefined;
  #capturesStderr = false;
  #base: Traffic = { bytesSent: 0, bytesReceived: 0, stray: 0, noiseLines: 0 };

  constructor(phase: Phase) {
    this.phase = phase;
  }

  /** Counts the link's traffic from its beginning, or only from now. */
  attach(link: Link, from: "beginning" | "now"): void {
    this.#link = link;
    this.#capturesStderr = from === "beginning";
    if (from === "now") this.#base = { ...link.traffic };
  }

  warn(code: string, message: string): void {
    this.warnings.push({ code, message });
  }

  noteClosed({ processTree, warnings }: Closed): void {
    this.processTree = processTree;
    this.warnings.push(...warnings);
  }

  succeed<T>(result: T, delivery: Delivery = "delivered"): Exclude<Outcome<T>, FailedOutcome> {
    return { result, error: undefined, detail: this.#detail(delivery) };
  }

  fail({ error, jsonRpcCode, httpStatus, limit, resume, sensitive }: Failure): FailedOutcome {
    this.#capturesStderr = true;
    const detail = this.#detail(error.delivery, sensitive);
    if (jsonRpcCode !== undefined) detail.jsonRpcCode = jsonRpcCode;
    if (httpStatus !== undefined) detail.httpStatus = httpStatus;
    if (limit) detail.limit = limit;
    if (resume) detail.resume = { ...resume };
    if (error.delivery === "unknown") detail.nextStep = nextStep(this.requestId);
    if (error.delivery === "not_sent" || error.delivery === "rejected") detail.effects = "none";
    return { result: undefined, error, detail };
  }

  #detail(delivery: Delivery, sensitive: Sensitive = {}): Detail {
    // Copying up to 64 KiB is no cost for a failure or a one-shot call, but would be for each of many calls.
    const stderrTail = this.#capturesStderr ? this.#link?.stderrTail() : undefined;
    const traffic = this.#link?.traffic ?? this.#base;
    const noise = traffic.noiseLines - this.#base.noiseLines;
    const detail = {
      delivery,
      phase: this.phase,
      effects: this.effects,
      ...(this.#link && { transport: this.#link.kind }),
      ...(this.revision !== undefined && { revision: this.revision }),
      ...(this.requestId !== undefined && { requestId: this.requestId }),
      elapsedMs: Math.round((performance.now() - this.#startedAt) * 10) / 10,
      bytesSent: traffic.bytesSent - this.#base.bytesSent,
      bytesReceived: traffic.bytesReceived - this.#base.bytesReceived,
      stray: traffic.stray - this.#base.stray,
      warnings: noise > 0 ? [...this.warnings, noiseWarning(noise)] : [...this.warnings],
      ...(this.processTree && { processTree: this.processTree }),
    };
    return withSensitive(detail, { ...sensitive, ...(stderrTail && { stderrTail }) });
  }
}

/** Adds what may hold secrets where spreading, JSON and util.inspect do not look. */
function withSensitive(detail: Omit<Detail, "sensitive">, sensitive: Sensitive): Detail {
  Object.defineProperty(detail, "sensitive", { value: sensitive, enumerable: false });
  return detail as Detail;
}

function noiseWarning(lines: number): Warning {
  return {
    code: "stdout_noise",
    message: `The server wrote ${String(lines)} line(s) to stdout that are no protocol messages; they were skipped.`,
  };
}

function nextStep(requestId: string | undefined): string {
  const inspect =
    "The tool may have run. Look at what it was meant to change; do not call it again blindly.";
  if (requestId === undefined) return inspect;
  return `${inspect} If the server keeps receipts, ask for the one of requestId ${requestId} (get_receipt), or repeat the same call under that requestId.`;
}
