/** What sort of program a file is, as far as it can run other programs for its caller. */
export type ProgramKind = "shell" | "wrapper" | "interpreter" | "other";

const SHELLS = new Set(
  "sh bash rbash dash ash zsh fish ksh ksh93 mksh csh tcsh busybox toybox cmd powershell pwsh".split(
    " ",
  ),
);
const WRAPPERS = new Set(
  "env xargs nice timeout nohup setsid sudo doas su stdbuf npx ionice chroot unshare nsenter setpriv runuser parallel watch time strace script".split(
    " ",
  ),
);
const INTERPRETERS = new Set(
  "node nodejs deno bun python pypy perl ruby php lua luajit tclsh wish expect osascript awk gawk mawk nawk java rscript guile".split(
    " ",
  ),
);

/** Judges a resolved file by its name, with version numbers and `.exe` taken off (`python3.11`). */
export function programKind(fileName: string): ProgramKind {
  const bare = fileName.toLowerCase().replace(/\.exe$/, "");
  for (const name of [bare, bare.replace(/[-.\d]+$/, "")]) {
    if (SHELLS.has(name)) return "shell";
    if (WRAPPERS.has(name)) return "wrapper";
    if (INTERPRETERS.has(name)) return "interpreter";
  }
  return "other";
}
