import { privateTmux, type PrivateTmux, type PrivateTmuxOptions } from "./private-tmux.ts";
import { readingApp, type ReadingTools, readingTools } from "./reading-app.ts";

/** The pane every rig starts with. */
export const work = { session: "work" };

/** A private tmux server, the reading tools over it, and its pane. */
export interface ReadingRig extends PrivateTmux, ReadingTools {
  /** Prints to the first pane. */
  readonly show: (text: string) => Promise<void>;
}

export interface RigOptions extends PrivateTmuxOptions {
  readonly config?: Readonly<Record<string, unknown>>;
}

export async function readingRig(options: RigOptions = {}): Promise<ReadingRig> {
  const server = await privateTmux(options);
  const tools = readingTools(readingApp({ socket: server.socket, config: options.config ?? {} }));
  return { ...server, ...tools, show: (text) => server.print("work:0.0", text) };
}

/** What `seq` prints. */
export function seq(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_none, index) => `${String(from + index)}\n`).join(
    "",
  );
}
