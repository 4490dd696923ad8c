import type { WriteRefusal } from "./write-refusal.ts";
import type { PaneJudgement } from "./pane-state.ts";

/** Which prompts will do. */
export interface PromptWish {
  /** One that shows by its text alone: of an interpreter, or of a shell on another machine. */
  readonly takesTextPrompt?: boolean;
}

/** Why a pane that is not at an empty prompt cannot take a command line. */
export function promptRefusal(
  { state, promptSource }: Pick<PaneJudgement, "state" | "promptSource">,
  { takesTextPrompt = false }: PromptWish,
): WriteRefusal | undefined {
  if (takesTextPrompt && promptSource === "text") return undefined;
  switch (state) {
    case "prompt":
      return undefined;
    case "dead":
      return { code: "pane_dead", message: "The program in the pane has ended." };
    case "copy_mode":
      return { code: "pane_in_mode", message: "The pane is in copy mode; the user scrolls." };
    case "password":
      return {
        code: "password_prompt",
        message: "The pane asks for a password; the person types it.",
      };
    case "continuation":
      return {
        code: "continuation_prompt",
        message: "The shell waits for the rest of an unfinished command.",
      };
    case "draft":
      return {
        code: "draft_present",
        message:
          "Text that is not entered yet stands on the prompt line, or the prompt ends in none of prompt_suffixes.",
      };
    case "alternate_screen":
      return { code: "command_running", message: "A full-screen program runs in the pane." };
    case "running":
      return promptSource === "text"
        ? {
            code: "not_a_shell",
            message: "A program that is no shell waits at a prompt of its own.",
          }
        : { code: "command_running", message: "A program runs in the pane." };
  }
}
