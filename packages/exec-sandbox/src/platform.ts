import { readlinkSync } from "node:fs";
import { ExecSandboxError } from "./errors.ts";

/** Throws where process groups do not exist; Linux and macOS are supported. */
export function requireSupportedPlatform(): void {
  if (process.platform !== "win32") return;
  throw new ExecSandboxError(
    "unsupported_platform",
    "exec-sandbox starts no process on Windows yet: Linux and macOS are supported.",
  );
}

/** Whether `/proc` is there and shows the pid namespace this process lives in. */
export function hasOwnProc(): boolean {
  if (process.platform !== "linux") return false;
  try {
    return readlinkSync("/proc/self") === String(process.pid);
  } catch {
    return false;
  }
}
