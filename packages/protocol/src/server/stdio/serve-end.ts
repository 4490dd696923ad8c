/** Why serving ended. */
export interface ServeEnd {
  readonly kind:
    | "end_of_input"
    | "closed"
    | "truncated_input"
    | "frame_flood"
    | "output_stalled"
    | "output_broken";
  /** One sentence for the log. */
  readonly detail: string;
}

/** What the program exits with: 0 when the peer ended or the program itself closed, 1 for anything else. */
export function exitCodeOf({ kind }: ServeEnd): 0 | 1 {
  return kind === "end_of_input" || kind === "closed" ? 0 : 1;
}
