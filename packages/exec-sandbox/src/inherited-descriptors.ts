import { closeSync, readdirSync, readFileSync } from "node:fs";
import { hasOwnProc } from "./platform.ts";
import { systemCode } from "./system-error.ts";

const O_CLOEXEC = 0o2000000;

/**
 * Closes descriptors above 2 that this process inherited and would pass on to its children. A server calls it
 * first thing. Linux only; on macOS children get 0, 1 and 2 without it.
 */
export function closeInheritedDescriptors(): { readonly closed: number } {
  if (!hasOwnProc()) return { closed: 0 };
  let closed = 0;
  for (const name of readdirSync("/proc/self/fdinfo")) {
    const descriptor = Number(name);
    if (descriptor <= 2 || !isInheritable(descriptor)) continue;
    closeSync(descriptor);
    closed += 1;
  }
  return { closed };
}

function isInheritable(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${String(descriptor)}`, "latin1");
    const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch (error) {
    // The descriptor that listed the folder is gone by now.
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
