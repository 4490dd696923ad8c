import { commonErrorCodes } from "@postern/protocol";
import { errorCodes } from "@postern/tmux-server/contract";

/** Every code a caller can meet, by who says it. */
export function errorsPage(): string {
  return [
    "# Error codes",
    "",
    "This page is generated from the source; do not edit it. A code keeps its meaning for ever and is never reused.",
    ...section("Every tool", commonErrorCodes),
    ...section("tmux-server", errorCodes),
    "",
  ].join("\n");
}

function section(title: string, codes: Readonly<Record<string, string>>): readonly string[] {
  const rows = Object.entries(codes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return ["", `## ${title}`, "", "| code | meaning |", "| --- | --- |", ...rows];
}
