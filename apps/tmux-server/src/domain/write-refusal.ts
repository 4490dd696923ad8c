import type { TmuxErrorCode } from "../contract/index.ts";
import type { PaneFacts } from "./pane-facts.ts";
import type { PaneState } from "./pane-state.ts";

/** Why a pane cannot take input. */
export interface WriteRefusal {
  readonly code: TmuxErrorCode;
  readonly message: string;
}

export interface WriteWish {
  /** The pane this server runs in, if it runs in the same tmux. */
  readonly ownPaneId: string | undefined;
  readonly leaveCopyMode: boolean;
}

type InputFacts = Pick<
  PaneFacts,
  "paneId" | "permission" | "dead" | "inMode" | "inputOff" | "synchronized"
>;

/** Why a write to a pane with these facts would be refused, or undefined. The guard inside tmux asks the same. */
export function inputRefusal(facts: InputFacts, wish: WriteWish): WriteRefusal | undefined {
  if (facts.permission === "hidden") return refuse("hidden_by_user", "The user hid this pane.");
  if (facts.permission === "read")
    return refuse("paused_by_user", "The user allows only reading here.");
  if (facts.paneId === wish.ownPaneId) return refuse("own_pane", "This server runs in that pane.");
  if (facts.dead) return refuse("pane_dead", "The program in the pane has ended.");
  if (facts.inMode && !wish.leaveCopyMode) {
    return refuse(
      "pane_in_mode",
      "The pane is in copy mode; the user scrolls. leave_copy_mode leaves it.",
    );
  }
  if (facts.inputOff) return refuse("pane_input_off", "Input to the pane is switched off.");
  if (facts.synchronized) {
    return refuse(
      "pane_synchronized",
      "The window's panes are synchronized; others would get it too.",
    );
  }
  return undefined;
}

/** Why text would be refused in a pane in this state, or undefined: a password is the person's to type. */
export function passwordRefusal(state: PaneState): WriteRefusal | undefined {
  return state === "password"
    ? refuse("password_prompt", "The pane asks for a password; the person types it.")
    : undefined;
}

function refuse(code: TmuxErrorCode, message: string): WriteRefusal {
  return { code, message };
}
