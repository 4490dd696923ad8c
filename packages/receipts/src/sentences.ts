const sentences: ReadonlyMap<string, string> = new Map(
  Object.entries({
    deadline_exceeded: "The deadline passed before the effect could start. Nothing was done.",
    cancelled: "The call was cancelled before the effect could start. Nothing was done.",
    revoked: "The permission was withdrawn before the effect could start. Nothing was done.",
    not_started: "The call failed before the effect could start. Nothing was done.",
    crashed_before_effect: "The server ended before the effect could start. Nothing was done.",
    outcome_unknown:
      "The effect may have happened, wholly or in part. Look before you ask again under a new requestId.",
    owner_lost:
      "The server ended while the effect was running. It may have happened; look before you ask again under a new requestId.",
  }),
);

/** What one of this package's own codes means, for the receipts it ends by itself. */
export function sentenceOf(code: string): string | null {
  return sentences.get(code) ?? null;
}
