import { safeLine } from "@postern/terminal-text";
import { ToolError } from "@postern/protocol";
import type { App } from "../app.ts";
import { answerOf } from "./tmux-outcome.ts";

/** What a person turns: agents only read, see nothing, or may again what the configuration says. */
export type SwitchPosition = "pause" | "hide" | "resume";

export interface SwitchOutcome {
  readonly ok: boolean;
  readonly message: string;
}

const optionValue = { pause: ["read"], hide: ["off"], resume: [] } as const;

/** Sets the tmux option that every running server obeys: for one session, or for everything. */
export async function setSwitch(
  { tmux, panes }: Pick<App, "tmux" | "panes">,
  position: SwitchPosition,
  session: string | undefined,
): Promise<SwitchOutcome> {
  const unset = position === "resume" ? ["-u"] : [];
  try {
    if (session === undefined) {
      const value = optionValue[position];
      answerOf(await tmux.run(["set-option", "-g", ...unset, "@postern_all", ...value]));
      const left = position === "resume" ? await stillRestricted(panes) : [];
      const except = left.length === 0 ? "" : `, except in: ${left.join(", ")}`;
      return { ok: true, message: `${done[position]} everywhere${except}.` };
    }
    const id = (await panes.list()).find((row) => row.sessionName === session)?.sessionId;
    const name = safeLine(session);
    if (id === undefined) return { ok: false, message: `No tmux session is named ${name}.` };
    const value = optionValue[position];
    answerOf(await tmux.run(["set-option", "-t", id, ...unset, "@postern_session", ...value]));
    return { ok: true, message: `${done[position]} in session ${name}.` };
  } catch (error) {
    if (error instanceof ToolError) return { ok: false, message: error.message };
    throw error;
  }
}

/** Sessions with a switch of their own, or of a window or pane in them, that resuming everything leaves alone. */
async function stillRestricted(panes: App["panes"]): Promise<readonly string[]> {
  const rows = (await panes.list()).filter(({ permission }) => permission !== "write");
  return [...new Set(rows.map(({ sessionName }) => safeLine(sessionName)))];
}

const done: Readonly<Record<SwitchPosition, string>> = {
  pause: "Agents only read now",
  hide: "Agents see nothing now",
  resume: "Agents may do what the configuration says",
};
