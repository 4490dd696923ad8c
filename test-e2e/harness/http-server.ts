import { execa, type Options } from "execa";
import type { Surroundings } from "./surroundings.ts";
import { tmuxServerBin } from "./tmux-server.ts";

/** The built tmux-server, listening. */
export interface HttpServer {
  readonly url: string;
  /** Makes a token by the program's own command. */
  readonly newToken: (name: string, scope: "read" | "write") => Promise<string>;
  readonly revoke: (name: string) => Promise<void>;
  /** Asks it to end and resolves with its exit code. */
  readonly close: () => Promise<number | undefined>;
}

/** Starts the built tmux-server over HTTP on a port of the system's choice. */
export async function startHttpServer(
  { env, folder }: Surroundings,
  flags: readonly string[] = [],
): Promise<HttpServer> {
  const options = { cwd: folder, env: { ...env }, extendEnv: false } satisfies Options;
  const run = async (...args: string[]): Promise<string> =>
    (await execa(process.execPath, [tmuxServerBin, ...args], options)).stdout;
  const child = execa(process.execPath, [tmuxServerBin, "--http", "0", ...flags], {
    ...options,
    reject: false,
  });
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, found] = /^Listening on (\S+)\n/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    void child.then(({ stderr }) => reject(new Error(`It ended: ${stderr}`)));
  });
  return {
    url,
    newToken: (name, scope) => run("token", "new", "--name", name, "--scope", scope),
    revoke: async (name) => void (await run("token", "revoke", name)),
    close: async () => {
      child.kill("SIGTERM");
      return (await child).exitCode;
    },
  };
}
