import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";

/** What to start, with everything relative taken out. */
export interface LaunchPlan {
  /** An absolute path, or a bare name to look up in `searchPath`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly searchPath: string;
}

/** Launchers that Windows ships as batch files, and the script each one runs, beside its folder. */
const WINDOWS_SCRIPTS: Readonly<Record<string, string>> = {
  npx: "node_modules/npm/bin/npx-cli.js",
  npm: "node_modules/npm/bin/npm-cli.js",
  pnpm: "node_modules/pnpm/bin/pnpm.cjs",
  yarn: "node_modules/yarn/bin/yarn.js",
};

/**
 * Plans a start without a shell: a command with a slash is relative to `cwd`, a bare name is looked up in the
 * child's own PATH. On Windows the package launchers are started as `node` and their script.
 */
export function planLaunch(o: {
  command: string;
  args: readonly string[];
  cwd: string;
  path: string;
  platform: NodeJS.Platform;
  exists: (path: string) => boolean;
}): LaunchPlan {
  // An empty or relative part would mean "whatever the working directory holds".
  const parts = o.path.split(delimiter).filter((part) => isAbsolute(part));
  const searchPath = parts.join(delimiter);
  const hasSlash = /[/\\]/.test(
    o.platform === "win32" ? o.command : o.command.replaceAll("\\", ""),
  );
  if (hasSlash) return { program: resolve(o.cwd, o.command), args: o.args, searchPath };
  const script = o.platform === "win32" ? windowsScript(o.command, parts, o.exists) : undefined;
  if (script) return { program: process.execPath, args: [script, ...o.args], searchPath };
  return { program: o.command, args: o.args, searchPath };
}

function windowsScript(
  command: string,
  parts: readonly string[],
  exists: (path: string) => boolean,
): string | undefined {
  const script = WINDOWS_SCRIPTS[command.toLowerCase().replace(/\.(?:cmd|bat)$/, "")];
  if (script === undefined) return undefined;
  return [...parts, dirname(process.execPath)].map((part) => join(part, script)).find(exists);
}
