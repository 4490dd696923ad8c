import type { PaneRow } from "../domain/pane-list.ts";
import type { Tmux } from "./run-tmux.ts";
import { answerOf } from "./tmux-outcome.ts";

const format = "#{client_activity} #{window_id}";
const quietMs = 2_000;

/** Whether a key came from a terminal that shows this pane's window within the last 2 s. */
export async function isSomebodyTyping(
  tmux: Tmux,
  { windowId }: Pick<PaneRow, "windowId">,
  now: Date,
): Promise<boolean> {
  const answer = answerOf(await tmux.run(["list-clients", "-F", format]));
  return (
    answer
      .toString()
      .split("\n")
      .map((line) => line.split(" "))
      .filter(([, shown]) => shown === windowId)
      // tmux tells whole seconds, so the key may be up to one second younger than it says.
      .some(([seconds]) => now.getTime() - (Number(seconds) + 1) * 1_000 < quietMs)
  );
}
