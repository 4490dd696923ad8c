import { execFile } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventually, temporaryDirectory } from "@postern/testing";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/** A tmux server of the running test's own, ended with it. */
export interface PrivateTmux {
  readonly socket: string;
  readonly tmux: (...args: readonly string[]) => Promise<string>;
  /** Prints straight to a pane's terminal, as its program would, and waits until tmux has taken it in. */
  readonly print: (pane: string, text: string) => Promise<void>;
}

export interface PrivateTmuxOptions {
  readonly width?: number;
  readonly height?: number;
  readonly historyLimit?: number;
  readonly session?: string;
  /** Where the server listens; by default in a directory of its own. */
  readonly socket?: string;
  /** The program of the first pane; by default one that prints nothing. */
  readonly command?: readonly string[];
}

/** Starts it with one session whose pane stays silent. */
export async function privateTmux(options: PrivateTmuxOptions = {}): Promise<PrivateTmux> {
  const { width = 100, height = 30, session = "work", historyLimit } = options;
  const { command = ["sleep", "1000"] } = options;
  const socket = options.socket ?? join(temporaryDirectory(), "s");
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args]);
    return stdout.trimEnd();
  };
  onTestFinished(async () => {
    await tmux("kill-server").catch(() => undefined);
  });
  const size = ["-x", String(width), "-y", String(height)];
  if (historyLimit !== undefined) {
    // A pane takes its limit from the option when it is made, so a first session sets it.
    await tmux("new-session", "-d", "-s", "limit", "sleep", "1000");
    await tmux("set-option", "-g", "history-limit", String(historyLimit));
  }
  await tmux("new-session", "-d", ...size, "-s", session, ...command);
  if (historyLimit !== undefined) await tmux("kill-session", "-t", "limit");

  let printed = 0;
  return {
    socket,
    tmux,
    async print(pane, text) {
      printed += 1;
      const mark = `printed-${String(printed)}`;
      const terminal = await tmux("display-message", "-p", "-t", pane, "#{pane_tty}");
      // The title comes after the text, so once tmux shows it the text is there too.
      await appendFile(terminal, `${text}\u001b]2;${mark}\u0007`);
      await eventually(
        async () => (await tmux("display-message", "-p", "-t", pane, "#{pane_title}")) === mark,
        { everyMs: 2, what: "the printed text" },
      );
    },
  };
}
