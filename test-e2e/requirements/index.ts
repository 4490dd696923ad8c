import { clientRequirements } from "./client.ts";
import { packagesRequirements } from "./packages.ts";
import { qualityRequirements } from "./quality.ts";
import { tmuxRequirements } from "./tmux.ts";

/** Every requirement id and its sentence. */
export const requirements = {
  ...packagesRequirements,
  ...tmuxRequirements,
  ...clientRequirements,
  ...qualityRequirements,
} as const;

export type RequirementId = keyof typeof requirements;
