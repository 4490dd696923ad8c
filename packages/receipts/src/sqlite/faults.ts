/** Makes one step of a SQLite store go wrong, so that a test can see what is left of it. */
export interface StoreFault {
  /** Which writing step since the store was opened, from 1. */
  readonly atStep: number;
  /** `kill` ends the whole process by SIGKILL; the other two are what the engine reports for a full or broken disk. */
  readonly action: "kill" | "disk_full" | "io_error";
  /** `after`: the step did its work, and the failure comes on top. @default "before" */
  readonly when?: "before" | "after";
}

const failures = {
  disk_full: { errcode: 13, message: "database or disk is full" },
  io_error: { errcode: 10, message: "disk I/O error" },
} as const;

/** Counts the writing steps of one store and strikes at the chosen one. */
export function faultPoint(fault: StoreFault | undefined): <T>(step: () => T) => T {
  let steps = 0;
  return (step) => {
    steps += 1;
    const isDue = fault !== undefined && steps === fault.atStep;
    if (isDue && fault.when !== "after") strike(fault.action);
    const value = step();
    if (isDue && fault.when === "after") strike(fault.action);
    return value;
  };
}

function strike(action: StoreFault["action"]): never {
  if (action === "kill") {
    process.kill(process.pid, "SIGKILL");
    // The signal may take effect on another thread first; this one must not get any further.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  const { errcode, message } = failures[action === "kill" ? "io_error" : action];
  throw Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });
}
