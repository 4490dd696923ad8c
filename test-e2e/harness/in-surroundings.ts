import { createSurroundings, type Surroundings } from "./surroundings.ts";
import { writeSettings, type PersonsSettings } from "./tmux-server.ts";

export interface SurroundingsOptions {
  /** What the person wrote into the configuration file; absent keys keep their defaults. */
  readonly settings?: PersonsSettings;
  /** Sessions to start, each 100 x 30 with plain `bash`. @default one named "work" */
  readonly sessions?: readonly string[];
  /** What runs in them instead of `bash`. */
  readonly program?: readonly string[];
}

/** Runs `body` in fresh surroundings; afterwards nothing that was started in them may be alive. */
export async function inSurroundings(
  { settings = {}, sessions = ["work"], program = plainBash }: SurroundingsOptions,
  body: (surroundings: Surroundings) => Promise<void>,
): Promise<void> {
  const surroundings = await createSurroundings();
  try {
    writeSettings(surroundings, settings);
    for (const name of sessions) {
      await surroundings.tmux("new-session", "-d", "-s", name, "-x", "100", "-y", "30", ...program);
    }
    await body(surroundings);
  } finally {
    await surroundings.end();
  }
}

const plainBash = ["bash", "--noprofile", "--norc"];
