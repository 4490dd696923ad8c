/** What the kernel would do with the file: run it, or hand it to the program of its `#!` line. */
export interface ExecutableFormat {
  readonly format: "elf" | "mach_o" | "pe" | "script";
  /** The program named by a script's `#!` line. */
  readonly interpreter?: string;
}

const MACH_O = new Set([
  0xfe_ed_fa_ce, 0xfe_ed_fa_cf, 0xce_fa_ed_fe, 0xcf_fa_ed_fe, 0xca_fe_ba_be, 0xbe_ba_fe_ca,
]);

const ELF_EXECUTABLE = 2;
const ELF_SHARED = 3;

/** Reads a file's first bytes; undefined when no kernel would run it. */
export function executableFormat(start: Buffer): ExecutableFormat | undefined {
  if (start.toString("latin1", 0, 2) === "#!") {
    const line = start.toString("utf8", 2).split("\n", 1)[0] ?? "";
    const interpreter = line.trim().split(/[ \t]/, 1)[0];
    return interpreter ? { format: "script", interpreter } : undefined;
  }
  if (start.length < 4) return undefined;
  if (start.readUInt32BE(0) === 0x7f_45_4c_46)
    return isElfProgram(start) ? { format: "elf" } : undefined;
  if (MACH_O.has(start.readUInt32BE(0))) return { format: "mach_o" };
  return start.toString("latin1", 0, 2) === "MZ" ? { format: "pe" } : undefined;
}

/** A damaged header is refused here, because `execvp` would hand such a file to a shell. */
function isElfProgram(start: Buffer): boolean {
  const [wordSize, byteOrder] = [start[4], start[5]];
  if (start.length < 52 || (wordSize !== 1 && wordSize !== 2)) return false;
  if (byteOrder !== 1 && byteOrder !== 2) return false;
  const type = byteOrder === 1 ? start.readUInt16LE(16) : start.readUInt16BE(16);
  return type === ELF_EXECUTABLE || type === ELF_SHARED;
}
