import { spawn, type ChildProcess } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { buildEnvironment, CLIENT_ENVIRONMENT } from "./environment.ts";
import { resolveExecutable, type ResolvedExecutable } from "./executable.ts";

export type BrowserOutcome = "opened" | "no_browser" | "refused";

type Environment = Readonly<Record<string, string | undefined>>;

/** How a desktop is reached, and which of the person's programs is the browser. */
const DESKTOP = [
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "XDG_CURRENT_DESKTOP",
  "XDG_SESSION_TYPE",
  "XDG_CONFIG_HOME",
  "XDG_CONFIG_DIRS",
  "XDG_DATA_HOME",
  "XDG_DATA_DIRS",
  "DESKTOP_SESSION",
  "SYSTEMROOT",
];

/** An opener that fails does so at once; one that is the browser itself stays. */
const EARLY_EXIT_MS = 1_500;

/**
 * Shows a page in the person's browser, where there is a display to show it on. Only http and https; the address
 * goes, written anew, as the one argument of a program out of a fixed list. The browser outlives this process.
 */
export async function openInBrowser(url: URL, environment: Environment): Promise<BrowserOutcome> {
  if (url.protocol !== "https:" && url.protocol !== "http:") return "refused";
  const opener = openerOf(environment);
  if (!opener) return "no_browser";
  const searchPath = environment["PATH"] ?? "";
  const found = await resolveExecutable(opener.program, { searchPath });
  if (found.kind === "refused") return "no_browser";
  const env = buildEnvironment({
    source: environment,
    inherit: [...CLIENT_ENVIRONMENT, ...DESKTOP],
    searchPath,
  });
  return start(found.executable, [...opener.args, url.href], env);
}

function openerOf(environment: Environment) {
  if (process.platform === "darwin") {
    // Over SSH the page would open on a screen that nobody looks at.
    return environment["SSH_CONNECTION"] ? undefined : { program: "/usr/bin/open", args: [] };
  }
  if (process.platform === "win32") {
    const root = environment["SYSTEMROOT"] ?? "C:\\Windows";
    const program = join(root, "System32", "rundll32.exe");
    return { program, args: ["url.dll,FileProtocolHandler"] };
  }
  const display = environment["DISPLAY"] || environment["WAYLAND_DISPLAY"];
  return display ? { program: "xdg-open", args: [] } : undefined;
}

async function start(
  executable: ResolvedExecutable,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<BrowserOutcome> {
  let child: ChildProcess;
  try {
    child = spawn(executable.path, args, {
      argv0: executable.invokedAs,
      cwd: homedir(),
      env,
      detached: true,
      stdio: "ignore",
    });
  } catch {
    // No memory or no process left: the caller shows the address instead.
    return "no_browser";
  }
  child.unref();
  const abort = new AbortController();
  const ended = new Promise<BrowserOutcome>((resolve) => {
    child.once("error", () => resolve("no_browser"));
    child.once("exit", (exitCode) => resolve(exitCode === 0 ? "opened" : "no_browser"));
  });
  const stays = delay(EARLY_EXIT_MS, "opened" as const, { signal: abort.signal }).catch(
    () => "opened" as const,
  );
  try {
    return await Promise.race([ended, stays]);
  } finally {
    abort.abort();
  }
}
