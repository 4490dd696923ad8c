import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@postern/testing";
import { execa } from "execa";

/** One test's own folder, home and tmux server; everything started under it names the folder. */
export interface Surroundings {
  readonly folder: string;
  readonly home: string;
  readonly socket: string;
  /** The environment a server under test is started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs the system's own tmux against the private server: the independent observer. */
  readonly tmux: (...args: readonly string[]) => Promise<string>;
  readonly end: () => Promise<void>;
}

export async function createSurroundings(): Promise<Surroundings> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "pe-"));
  const home = join(folder, "home");
  const socket = join(folder, "s");
  const env = { HOME: home, PATH: systemPath(), TZ: "UTC", LANG: "C.UTF-8", PS1: "$ " };
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const answer = await execa("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args], {
      cwd: folder,
      env,
      extendEnv: false,
    });
    return answer.stdout;
  };
  await execa("mkdir", ["-m", "0700", home]);
  return { folder, home, socket, env, tmux, end: () => endSurroundings(folder, tmux) };
}

/** Ends the tmux server, proves that no process that names the folder is left, and removes the folder. */
async function endSurroundings(folder: string, tmux: Surroundings["tmux"]): Promise<void> {
  await tmux("kill-server").catch(() => "not running");
  try {
    await eventually(() => survivors(folder).length === 0, {
      what: `no process of ${folder}`,
      timeoutMs: 2_000,
    });
  } catch (error) {
    throw new Error(`Still alive after the test: ${survivors(folder).join("; ")}`, {
      cause: error,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Command lines of processes whose arguments or environment name the folder (Linux; elsewhere none are seen). */
export function survivors(folder: string): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
        return `${words}\0${environment}`.includes(folder)
          ? [`${pid} ${words.replaceAll("\0", " ")}`]
          : [];
      } catch {
        // The process ended while we looked.
        return [];
      }
    });
}

function systemPath(): string {
  return `${join(process.execPath, "..")}:/usr/local/bin:/usr/bin:/bin`;
}
