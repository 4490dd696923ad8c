import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, unwrap, type Client } from "@postern/mcp-client";
import { execa } from "execa";

/** A throw-away home, a private tmux server with one visible session, and a connected client. */
export interface Stage {
  readonly folder: string;
  readonly socket: string;
  readonly client: Client;
  /** The person's side: tmux itself, without any of our programs. */
  person(...args: readonly string[]): Promise<string>;
  end(): Promise<void>;
}

export async function tmuxIsThere(): Promise<boolean> {
  const answer = await execa("tmux", ["-V"], { reject: false });
  return answer.exitCode === 0;
}

export async function createStage(): Promise<Stage> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "postern-tour-"));
  const socket = join(folder, "s");
  const env = { HOME: folder, PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", PS1: "$ " };
  const person = async (...args: readonly string[]): Promise<string> => {
    const options = { cwd: folder, env, extendEnv: false } as const;
    return (await execa("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args], options)).stdout;
  };
  const end = async (client?: Client): Promise<void> => {
    await client?.close();
    await person("kill-server").catch(() => "It was not running.");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    allowWriting(folder);
    await person(
      "new-session",
      "-d",
      "-s",
      "demo",
      "-x",
      "100",
      "-y",
      "30",
      "bash",
      "--noprofile",
      "--norc",
    );
    const client = unwrap(
      await connect({
        command: process.execPath,
        args: [serverBin(), "--socket", socket],
        env,
        cwd: folder,
      }),
    );
    return { folder, socket, client, person, end: () => end(client) };
  } catch (error) {
    await end();
    throw error;
  }
}

/** What a person does to let an agent type: one line in their own configuration file. */
function allowWriting(home: string): void {
  const directory = join(home, ".config/mcp-tmux");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const settings = { version: "1.0.0", write_enabled: true, allowed_sessions: ["demo"] };
  writeFileSync(join(directory, "config.json"), JSON.stringify(settings), { mode: 0o600 });
}

function serverBin(): string {
  return join(import.meta.dirname, "../../../apps/tmux-server/dist/bin.js");
}
